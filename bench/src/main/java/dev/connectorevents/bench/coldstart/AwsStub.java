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
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;

/**
 * Replaces DynamoDB and Secrets Manager: answers each operation with its text in {@code aws.json}.
 *
 * <p>Every table has the same item. It has the attributes of a user, of a login source without
 * failures, and of an event. The user is a consumer if the request contains the consumer's address,
 * and otherwise a connector.
 */
final class AwsStub implements AutoCloseable {

  /** The user's password, as in `events/login.json`. */
  private static final String PASSWORD = "correct horse battery staple";

  /** What a call that only asks whether events are there reads of them. */
  private static final String PRESENCE = "\"id, expires_at\"";

  /** In bytes. */
  private static final int LARGEST_ANSWER = 16 << 20;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final LoopbackServer server;
  private final Map<String, String> answers = new HashMap<>();
  private final String consumer;
  private volatile Duration latency = Duration.ZERO;
  private volatile int itemBytes = 1_000;

  /**
   * @param bcryptCost the service's own cost; with another one, a login would replace the hash
   * @param eventsTable the name of the events table
   * @param isEncrypted whether to use TLS, with the certificate in this JVM's key store
   */
  AwsStub(String bcryptCost, String eventsTable, boolean isEncrypted)
      throws IOException, GeneralSecurityException {
    InputStream file = requireNonNull(AwsStub.class.getResourceAsStream("aws.json"));
    JsonNode json = JSON.readTree(file);
    PasswordHash hash = PasswordHash.of(PASSWORD, Integer.parseInt(bcryptCost));
    ((ObjectNode) json.at("/GetItem/Item/password_hash")).put("S", hash.value());
    String key = KeyText.random(new SecureRandom());
    ((ObjectNode) json.get("GetSecretValue")).put("SecretString", key);
    json.properties().forEach(each -> answers.put(each.getKey(), each.getValue().toString()));
    JsonNode item = json.at("/GetItem/Item");
    answers.put("Query", "{\"Items\":[%s],\"Count\":1,\"ScannedCount\":1}".formatted(item));
    answers.put("BatchGetItem", "{\"Responses\":{\"%s\":[%s]}}".formatted(eventsTable, item));
    ((ObjectNode) item.get("email")).put("S", BenchmarkEvents.CONSUMER);
    ((ObjectNode) item.get("role")).put("S", "consumer");
    consumer = json.get("GetItem").toString();
    server = isEncrypted ? LoopbackServer.bind(SSLContext.getDefault()) : LoopbackServer.bind(0);
    server.serve(Map.of("/", this::answer));
  }

  /** Delays each answer from now on. Before the first call, there is no delay. */
  void answerAfter(Duration wait) {
    latency = wait;
  }

  /** The size of each event's item from now on, for calls that only ask whether it is there. */
  void itemBytes(int bytes) {
    itemBytes = bytes;
  }

  URI endpoint() {
    return server.endpoint();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    LockSupport.parkNanos(latency.toNanos());
    String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    String operation = target.substring(target.lastIndexOf('.') + 1);
    boolean isConsumer = operation.equals("GetItem") && body.contains(BenchmarkEvents.CONSUMER);
    String answer = isConsumer ? consumer : answers.getOrDefault(operation, "{}");
    boolean isPresence = operation.equals("BatchGetItem") && body.contains(PRESENCE);
    Answer.json(200, isPresence ? present(body) : answer).send(exchange);
  }

  /**
   * Answers that all events are there, by their keys alone. Counts whole items against the limit of
   * an answer, and leaves the rest unprocessed, as <a
   * href="https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html">BatchGetItem</a>
   * does.
   */
  private String present(String body) throws IOException {
    ObjectNode request = (ObjectNode) JSON.readTree(body).get("RequestItems");
    String table = request.fieldNames().next();
    ArrayNode unprocessed = (ArrayNode) request.get(table).get("Keys");
    ArrayNode items = JSON.createArrayNode();
    while (!unprocessed.isEmpty() && (items.size() + 1L) * itemBytes <= LARGEST_ANSWER) {
      items.add(unprocessed.remove(0));
    }
    ObjectNode answer = JSON.createObjectNode();
    answer.putObject("Responses").set(table, items);
    answer.set("UnprocessedKeys", unprocessed.isEmpty() ? JSON.createObjectNode() : request);
    return answer.toString();
  }

  @Override
  public void close() {
    server.close();
  }
}
