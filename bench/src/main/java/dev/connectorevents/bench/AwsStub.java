package dev.connectorevents.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.LoopbackServer;
import dev.connectorevents.token.KeyText;
import dev.connectorevents.user.PasswordHash;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Two servers in place of DynamoDB and Secrets Manager. They answer an operation that they do not
 * know with an empty object.
 *
 * <p>Every table has the same single item. It has the attributes of a connector, of its password
 * hash, of a login source without failures, of an event, and of a segment of the feed with this
 * event. If a read of one user contains {@link BenchmarkEvents#CONSUMER}, the answer has a consumer
 * instead of the connector.
 */
final class AwsStub implements AutoCloseable {

  /** The password of both users, as in {@code events/login.json}. */
  private static final String PASSWORD = "correct horse battery staple";

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
