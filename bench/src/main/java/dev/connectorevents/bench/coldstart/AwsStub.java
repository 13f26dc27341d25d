package dev.connectorevents.bench.coldstart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.connectorevents.emulator.http.Answer;
import dev.connectorevents.emulator.http.LoopbackServer;
import dev.connectorevents.token.KeyText;
import dev.connectorevents.user.PasswordHash;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Two servers in place of DynamoDB and Secrets Manager. Each knows some operations, and answers any
 * other with an empty object.
 *
 * <p>Every table has the same item. It has the attributes of a user, of a login source without
 * failures, and of an event. {@code GetItem} returns a consumer if the request contains the
 * consumer's address, and otherwise a connector.
 */
final class AwsStub implements AutoCloseable {

  /** The user's password, as in {@code events/login.json}. */
  private static final String PASSWORD = "correct horse battery staple";

  /**
   * The largest total size of the items in an answer, in bytes, of <a
   * href="https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html">BatchGetItem</a>.
   */
  private static final int MAX_BATCH_BYTES = 16 << 20;

  /** The answer to a call with 25 statements, the most that DynamoDB allows: all succeed. */
  private static final String ALL_INSERTED =
      "{\"Responses\":[" + String.join(",", Collections.nCopies(25, "{}")) + "]}";

  /** After so many, the stub's side of a handshake takes as long as after ten times as many. */
  private static final int HANDSHAKES = 300;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final LoopbackServer dynamoDb;
  private final LoopbackServer secretsManager;
  private final ObjectNode item;
  private final String connector;
  private final String consumer;

  /** The other constant answers, by operation. */
  private final Map<String, String> otherAnswers;

  private volatile Waits waits = Waits.NONE;
  private volatile int itemBytes = 1_000;

  /**
   * Starts both servers.
   *
   * @param bcryptCost the service's own cost; with another cost, a login would replace the hash
   * @param isEncrypted whether to use TLS, with the certificate in this JVM's key store, which its
   *     trust store contains
   */
  AwsStub(String bcryptCost, boolean isEncrypted) throws IOException, GeneralSecurityException {
    JsonNode canned;
    try (InputStream file = requireNonNull(AwsStub.class.getResourceAsStream("aws.json"))) {
      canned = JSON.readTree(file);
    }
    PasswordHash hash = PasswordHash.of(PASSWORD, Integer.parseInt(bcryptCost));
    item = (ObjectNode) canned.get("item");
    item.putObject("password_hash").put("S", hash.value());
    connector = itemAnswer(item);
    ObjectNode other = item.deepCopy();
    other.putObject("email").put("S", BenchmarkEvents.CONSUMER);
    other.putObject("role").put("S", "consumer");
    consumer = itemAnswer(other);
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

  /** Lets the JVM compile its side of a handshake, which would else slow down the first starts. */
  private static void warmUp(URI server) throws IOException {
    for (int i = 0; i < HANDSHAKES; i++) {
      try (Socket socket =
          SSLSocketFactory.getDefault().createSocket(server.getHost(), server.getPort())) {
        SSLSocket client = (SSLSocket) socket;
        client.startHandshake();
        client.getSession().invalidate(); // otherwise the next handshake is a shorter one
      }
    }
  }

  private static String itemAnswer(ObjectNode found) {
    ObjectNode answer = JSON.createObjectNode();
    answer.set("Item", found);
    return answer.toString();
  }

  /** Delays each answer from now on. Before the first call, there is no delay. */
  void answerAfter(Waits next) {
    waits = next;
  }

  /**
   * From now on, {@code BatchGetItem} counts each item with this size towards the limit of an
   * answer. The item's real size does not matter.
   */
  void setItemBytes(int bytes) {
    itemBytes = bytes;
  }

  /** A server of its own, as on AWS: a client of both services needs a connection to each. */
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
    Waits now = waits;
    Duration wait =
        switch (operation) {
          case "GetSecretValue", "DescribeSecret" -> now.secret();
          case "BatchExecuteStatement" -> now.batch();
          default -> now.dynamoDb();
        };
    LockSupport.parkNanos(wait.toNanos());
    String answer =
        switch (operation) {
          case "GetItem" -> body.contains(BenchmarkEvents.CONSUMER) ? consumer : connector;
          case "BatchGetItem" -> batchGetItem(body);
          case "BatchExecuteStatement" -> ALL_INSERTED;
          default -> otherAnswers.getOrDefault(operation, "{}");
        };
    Answer.json(200, answer).send(exchange);
  }

  /** Returns an item for each key, until the answer is full. The other keys are unprocessed. */
  private String batchGetItem(String body) throws IOException {
    ObjectNode request = (ObjectNode) JSON.readTree(body).get("RequestItems");
    String table = request.fieldNames().next();
    JsonNode wanted = request.get(table);
    ArrayNode unprocessed = (ArrayNode) wanted.get("Keys");
    ArrayNode items = JSON.createArrayNode();
    while (!unprocessed.isEmpty() && (items.size() + 1L) * itemBytes <= MAX_BATCH_BYTES) {
      ObjectNode found = projected(wanted);
      items.add(found.setAll((ObjectNode) unprocessed.remove(0)));
    }
    ObjectNode answer = JSON.createObjectNode();
    answer.putObject("Responses").set(table, items);
    answer.set("UnprocessedKeys", unprocessed.isEmpty() ? JSON.createObjectNode() : request);
    return answer.toString();
  }

  /** The item, with only the attributes that a read asks for. */
  private ObjectNode projected(JsonNode wanted) {
    ObjectNode projected = item.deepCopy();
    String names = wanted.path("ProjectionExpression").asText();
    if (!names.isEmpty()) {
      JsonNode placeholders = wanted.path("ExpressionAttributeNames");
      projected.retain(
          Arrays.stream(names.split(", ", -1))
              .map(name -> placeholders.path(name).asText(name))
              .toList());
    }
    return projected;
  }

  @Override
  public void close() {
    dynamoDb.close();
    secretsManager.close();
  }
}
