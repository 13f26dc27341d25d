package dev.connectorevents.functions.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME;

import dev.connectorevents.Gzip;
import dev.connectorevents.Json;
import dev.connectorevents.dynamodb.users.PasswordHashItem;
import dev.connectorevents.dynamodb.users.UserItem;
import dev.connectorevents.user.UserWithHash;
import java.io.IOException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.warmup.http.CannedResponseHttpClient;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A transport for the SDK's clients that answers from memory: with one item, which is a user, the
 * hash of its password and an event, one signing key, and success for every write. The clients run
 * all their code above the transport.
 */
public final class CannedAws implements SdkHttpClient {

  private static final String KEY = "signs tokens that nobody else accepts";
  private static final String DONE = "{}";

  /** A call has at most so many statements. What it does not have needs no answer. */
  private static final int MOST_STATEMENTS = 25;

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
            "DynamoDB_20120810.BatchExecuteStatement",
            Json.write(Map.of("Responses", Collections.nCopies(MOST_STATEMENTS, Map.of()))),
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
    item.put("event_type", Map.of("S", "rehearsal.requested"));
    item.put("user_id", Map.of("B", base64(new byte[16])));
    item.put("payload", Map.of("B", base64(Gzip.compress("{}".getBytes(UTF_8)))));
    return item;
  }

  private static void put(Map<String, Object> item, Map<String, AttributeValue> texts) {
    texts.forEach((name, text) -> item.put(name, Map.of("S", text.s())));
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    String answer =
        request.httpRequest().firstMatchingHeader("X-Amz-Target").map(answers::get).orElse(DONE);
    ExecutableHttpRequest canned =
        CannedResponseHttpClient.builder()
            .responseBody(answer.getBytes(UTF_8))
            .build()
            .prepareRequest(request);
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() throws IOException {
        return dated(canned.call());
      }

      @Override
      public void abort() {
        canned.abort();
      }
    };
  }

  /** As AWS answers: a client compares its clock with the {@code Date}. */
  private static HttpExecuteResponse dated(HttpExecuteResponse answer) {
    String now = RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
    return HttpExecuteResponse.builder()
        .response(answer.httpResponse().toBuilder().putHeader("Date", now).build())
        .responseBody(answer.responseBody().orElseThrow())
        .build();
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
