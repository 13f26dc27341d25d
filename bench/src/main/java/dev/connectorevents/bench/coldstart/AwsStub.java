package dev.connectorevents.bench.coldstart;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
 * DynamoDB and Secrets Manager, which answer what {@code aws.json} has for an operation.
 *
 * <p>Login attempts are read by GetItem as well. To them the one user is an item of a source that
 * they know, as a connector's is, and without a count.
 */
final class AwsStub implements AutoCloseable {

  /** As `events/login.json` has it. */
  private static final String PASSWORD = "correct horse battery staple";

  private final LoopbackServer server;
  private final Map<String, String> answers = new HashMap<>();
  private volatile Duration latency = Duration.ZERO;

  /**
   * @param bcryptCost of the user's password: the service's, else a login would replace the hash
   * @param isEncrypted whether it speaks TLS, with the certificate in this JVM's key store
   */
  AwsStub(String bcryptCost, boolean isEncrypted) throws IOException, GeneralSecurityException {
    InputStream file = requireNonNull(AwsStub.class.getResourceAsStream("aws.json"));
    JsonNode json = new ObjectMapper().readTree(file);
    PasswordHash hash = PasswordHash.of(PASSWORD, Integer.parseInt(bcryptCost));
    ((ObjectNode) json.at("/GetItem/Item/password_hash")).put("S", hash.value());
    String key = KeyText.random(new SecureRandom());
    ((ObjectNode) json.get("GetSecretValue")).put("SecretString", key);
    json.properties().forEach(each -> answers.put(each.getKey(), each.getValue().toString()));
    server = isEncrypted ? LoopbackServer.bind(SSLContext.getDefault()) : LoopbackServer.bind(0);
    server.serve(Map.of("/", this::answer));
  }

  /** From now on, each answer takes so long. At first they take none. */
  void answerAfter(Duration wait) {
    latency = wait;
  }

  URI endpoint() {
    return server.endpoint();
  }

  private void answer(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    LockSupport.parkNanos(latency.toNanos());
    String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    String operation = target.substring(target.lastIndexOf('.') + 1);
    Answer.json(200, answers.getOrDefault(operation, "{}")).send(exchange);
  }

  @Override
  public void close() {
    server.close();
  }
}
