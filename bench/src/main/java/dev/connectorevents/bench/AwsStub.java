package dev.connectorevents.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.connectorevents.dynamodb.feed.SegmentItem;
import dev.connectorevents.dynamodb.feed.WholeItem;
import dev.connectorevents.dynamodb.users.PasswordHashItem;
import dev.connectorevents.dynamodb.users.UserItem;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.LoopbackServer;
import dev.connectorevents.event.EventType;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.ItemVersion;
import dev.connectorevents.feed.Segment;
import dev.connectorevents.feed.Whole;
import dev.connectorevents.token.KeyText;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserState;
import dev.connectorevents.user.UserWithHash;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Two servers in place of DynamoDB and Secrets Manager. They answer an operation that they do not
 * know with an empty object.
 *
 * <p>Every table has the same single item. It has the attributes of a connector, of its password
 * hash, of a login source without failures, of an event, of a segment of the feed with this event,
 * and of what the feed holds. If a read of one user contains {@link BenchmarkEvents#CONSUMER}, the
 * answer has a consumer instead of the connector.
 */
final class AwsStub implements AutoCloseable {

  /** The password of both users, as in {@code events/login.json}. */
  private static final String PASSWORD = "correct horse battery staple";

  /** The id of both users, and of the event. */
  private static final UUID ID = new UUID(1, 1);

  private static final String FEED = "00000000";

  /**
   * The number of TLS handshakes that warm up a server. Ten times as many would not make the
   * server's handshakes faster.
   */
  private static final int HANDSHAKES = 300;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final LoopbackServer dynamoDb;
  private final LoopbackServer secretsManager;
  private final ObjectNode item;
  private final String connector;
  private final String consumer;

  /** The answers to {@code Query} and to the operations of Secrets Manager, by operation. */
  private final Map<String, String> otherAnswers;

  /**
   * Starts both servers.
   *
   * @param bcryptCost the service's own cost; with another cost, a login would replace the hash
   * @param isEncrypted whether to use TLS, with the certificate in this JVM's key store. This JVM's
   *     trust store must contain the certificate.
   */
  AwsStub(String bcryptCost, boolean isEncrypted) throws IOException, GeneralSecurityException {
    JsonNode canned;
    try (InputStream file = requireNonNull(AwsStub.class.getResourceAsStream("aws.json"))) {
      canned = JSON.readTree(file);
    }
    PasswordHash hash = PasswordHash.of(PASSWORD, Integer.parseInt(bcryptCost));
    ObjectNode rest = (ObjectNode) canned.get("item");
    item = item(new UserWithHash(user("connector@example.com", Role.CONNECTOR), hash), rest);
    connector = itemAnswer(item);
    consumer =
        itemAnswer(
            item(new UserWithHash(user(BenchmarkEvents.CONSUMER, Role.CONSUMER), hash), rest));
    ObjectNode secret = (ObjectNode) canned.get("GetSecretValue");
    secret.put("SecretString", KeyText.random(new SecureRandom()));
    otherAnswers =
        Map.of(
            "GetSecretValue",
            secret.toString(),
            "DescribeSecret",
            canned.get("DescribeSecret").toString(),
            "Query",
            "{\"Items\":[%s],\"Count\":1,\"ScannedCount\":1}".formatted(item));
    dynamoDb = serve(isEncrypted);
    secretsManager = serve(isEncrypted);
  }

  private LoopbackServer serve(boolean isEncrypted) throws IOException, GeneralSecurityException {
    LoopbackServer server =
        isEncrypted ? LoopbackServer.bind(SSLContext.getDefault()) : LoopbackServer.bind(0);
    server.serve(Map.of("/", this::answer));
    if (isEncrypted) {
      warmUp(server.endpoint());
    }
    return server;
  }

  /**
   * Lets this JVM compile its side of a TLS handshake. Otherwise the compiler would slow down the
   * first starts that the bench measures.
   */
  private static void warmUp(URI server) throws IOException {
    for (int i = 0; i < HANDSHAKES; i++) {
      try (Socket socket =
          SSLSocketFactory.getDefault().createSocket(server.getHost(), server.getPort())) {
        SSLSocket client = (SSLSocket) socket;
        client.startHandshake();
        client.getSession().invalidate(); // the next handshake must be a full one
      }
    }
  }

  private static User user(String email, Role role) {
    Instant created = Instant.EPOCH;
    return new User(ID, new Email(email), "Bench", UserState.ACTIVE, role, null, created, created);
  }

  /**
   * The item with this user.
   *
   * @param rest what no public class of the service makes: the attributes of an event, of a mark,
   *     and of a source from which the user has logged in before
   */
  private static ObjectNode item(UserWithHash user, ObjectNode rest) {
    Instant at = user.user().createdAt();
    EventType type = new EventType(rest.at("/event_type/S").textValue());
    FeedEntry event =
        new FeedEntry.OfEvent(
            new ItemVersion(ID, at, Optional.empty()), type, new UUID(0, 0), Optional.empty());
    ObjectNode item = rest.deepCopy();
    put(item, UserItem.attributes(user.user()));
    put(item, PasswordHashItem.attributes(user));
    put(item, SegmentItem.of(new Segment(FEED, 1, at, List.of(event))).attributes());
    put(
        item,
        WholeItem.of(new Whole(Optional.of(FEED), "bench", 1, at, 1, Optional.empty()))
            .attributes());
    return item;
  }

  private static void put(ObjectNode item, Map<String, AttributeValue> attributes) {
    attributes.forEach((name, value) -> {
      ObjectNode attribute = item.putObject(name);
      switch (value.type()) {
        case N -> attribute.put("N", value.n());
        case B -> attribute.put("B", value.b().asByteArrayUnsafe());
        default -> attribute.put("S", value.s());
      }
    });
  }

  private static String itemAnswer(ObjectNode found) {
    ObjectNode answer = JSON.createObjectNode();
    answer.set("Item", found);
    return answer.toString();
  }

  /**
   * The address of DynamoDB's server. Secrets Manager has another address, as on AWS: a client of
   * both services needs two connections.
   */
  URI dynamoDb() {
    return dynamoDb.endpoint();
  }

  URI secretsManager() {
    return secretsManager.endpoint();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    String operation = target.substring(target.lastIndexOf('.') + 1);
    String answer =
        switch (operation) {
          case "GetItem" -> user(body);
          case "TransactGetItems" -> "{\"Responses\":[%1$s,%1$s]}".formatted(user(body));
          case "BatchGetItem" -> batchGetItem(body);
          default -> otherAnswers.getOrDefault(operation, "{}");
        };
    HttpAnswer.json(200, answer).send(exchange);
  }

  private String user(String request) {
    return request.contains(BenchmarkEvents.CONSUMER) ? consumer : connector;
  }

  /** Answers with an item for each key. */
  private String batchGetItem(String body) throws IOException {
    ObjectNode answer = JSON.createObjectNode();
    ObjectNode found = answer.putObject("Responses");
    for (Map.Entry<String, JsonNode> asked : JSON.readTree(body).get("RequestItems").properties()) {
      ArrayNode items = found.putArray(asked.getKey());
      for (JsonNode key : asked.getValue().get("Keys")) {
        ObjectNode same = item.deepCopy();
        items.add(same.setAll((ObjectNode) key));
      }
    }
    return answer.toString();
  }

  @Override
  public void close() {
    dynamoDb.close();
    secretsManager.close();
  }
}
