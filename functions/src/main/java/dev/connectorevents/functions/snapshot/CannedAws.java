package dev.connectorevents.functions.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.Gzip;
import dev.connectorevents.Json;
import dev.connectorevents.dynamodb.feed.SegmentItem;
import dev.connectorevents.dynamodb.feed.WholeItem;
import dev.connectorevents.dynamodb.users.PasswordHashItem;
import dev.connectorevents.dynamodb.users.UserItem;
import dev.connectorevents.event.EventType;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.ItemVersion;
import dev.connectorevents.feed.Segment;
import dev.connectorevents.feed.Whole;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserWithHash;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import software.amazon.awssdk.core.warmup.http.CannedResponseHttpClient;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A transport for the SDK's clients that answers from memory: with one item, which is a user, the
 * hash of its password, an event and a segment of the feed, one signing key, and success for every
 * write. The clients run all their code above the transport.
 */
public final class CannedAws implements SdkHttpClient {

  private static final String KEY = "signs tokens that nobody else accepts";
  private static final String DONE = "{}";
  private static final EventType EVENT_TYPE = new EventType("rehearsal.requested");

  private static final Whole WHOLE =
      new Whole(Optional.of("00000000"), "canned", 1, Instant.EPOCH, 1, Optional.empty());

  private final Map<String, String> answers;

  /**
   * @param user the answer to every read of a user
   * @param eventsTable the table of batch reads
   */
  public CannedAws(UserWithHash user, String eventsTable) {
    Map<String, Object> item = item(user);
    answers =
        Map.of(
            "DynamoDB_20120810.GetItem",
            Json.write(Map.of("Item", item)),
            "DynamoDB_20120810.TransactGetItems",
            Json.write(Map.of("Responses", Collections.nCopies(2, Map.of("Item", item)))),
            "DynamoDB_20120810.Query",
            Json.write(Map.of("Items", List.of(item), "Count", 1, "ScannedCount", 1)),
            "DynamoDB_20120810.BatchGetItem",
            Json.write(
                Map.of(
                    "Responses", Map.of(eventsTable, List.of(item)), "UnprocessedKeys", Map.of())),
            "secretsmanager.GetSecretValue",
            Json.write(
                Map.of(
                    "ARN",
                    "arn:aws:secretsmanager:us-east-1:000000000000:secret:canned",
                    "Name",
                    "canned",
                    "VersionId",
                    "canned",
                    "VersionStages",
                    List.of("AWSCURRENT"),
                    "CreatedDate",
                    0.5,
                    "SecretString",
                    KEY)));
  }

  /** The item in DynamoDB's JSON. A user and an event share {@code id} and {@code created_at}. */
  private static Map<String, Object> item(UserWithHash user) {
    Map<String, Object> item = new HashMap<>();
    put(item, UserItem.attributes(user.user()));
    put(item, PasswordHashItem.attributes(user));
    item.put("event_type", Map.of("S", EVENT_TYPE.value()));
    item.put("user_id", Map.of("B", base64(new byte[16])));
    item.put("brand_key", Map.of("S", "none#0"));
    item.put("payload", Map.of("B", base64(Gzip.compress("{}".getBytes(UTF_8)))));
    put(item, segment(user.user()));
    put(item, WholeItem.of(WHOLE).attributes());
    return item;
  }

  /** The attributes of a segment of the feed, which has the event. */
  private static Map<String, AttributeValue> segment(User user) {
    FeedEntry event =
        new FeedEntry.OfEvent(
            new ItemVersion(user.id(), user.createdAt(), Optional.empty()),
            EVENT_TYPE,
            new UUID(0, 0),
            Optional.empty());
    return SegmentItem.of(new Segment("00000000", 1, Instant.EPOCH, List.of(event))).attributes();
  }

  private static void put(Map<String, Object> item, Map<String, AttributeValue> attributes) {
    attributes.forEach((name, value) ->
        item.put(
            name,
            switch (value.type()) {
              case N -> Map.of("N", value.n());
              case B -> Map.of("B", base64(value.b().asByteArray()));
              default -> Map.of("S", value.s());
            }));
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    String answer =
        request.httpRequest().firstMatchingHeader("X-Amz-Target").map(answers::get).orElse(DONE);
    return CannedResponseHttpClient.builder()
        .responseBody(answer.getBytes(UTF_8))
        .build()
        .prepareRequest(request);
  }

  @Override
  public String clientName() {
    return "Canned";
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
