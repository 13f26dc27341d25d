package dev.connectorevents.emulator.secretsmanager;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import dev.connectorevents.emulator.http.Answer;
import dev.connectorevents.emulator.http.LoopbackServer;
import dev.connectorevents.emulator.http.RequestBody;
import dev.connectorevents.emulator.template.RotationDefinition;
import dev.connectorevents.emulator.template.SecretDefinition;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Stands in for Secrets Manager, in its protocol AWS JSON 1.1; signatures are not checked. */
public final class SecretsManagerStandIn implements AutoCloseable {
  private static final String TARGET = "secretsmanager.";
  private static final int MAX_REQUEST = 1 << 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Secrets secrets;
  private final LoopbackServer server;
  private volatile Operations operations;

  private SecretsManagerStandIn(int port, Secrets secrets) throws IOException {
    this.secrets = secrets;
    this.server = LoopbackServer.bind(port);
    Rotator none = (function, event) -> Optional.of("there are no functions yet");
    this.operations = new Operations(secrets, new Rotations(secrets, List.of(), none));
  }

  /**
   * Starts it with the template's secrets.
   *
   * @param port 0 for any free one
   * @param file where the secrets are kept; in memory without one
   * @throws IOException when the port is taken, saying so
   */
  public static SecretsManagerStandIn start(
      int port, Optional<Path> file, List<SecretDefinition> definitions) throws IOException {
    var secrets = new Secrets(new SecretsFile(file), Clock.systemUTC());
    secrets.create(definitions);
    var standIn = new SecretsManagerStandIn(port, secrets);
    standIn.server.serve(Map.of("/", standIn::handle));
    return standIn;
  }

  /** Enables rotation. Call after the functions have started: they need this server first. */
  public void rotate(List<RotationDefinition> rotations, Rotator rotator) {
    operations = new Operations(secrets, new Rotations(secrets, rotations, rotator));
  }

  public URI endpoint() {
    return server.endpoint();
  }

  @Override
  public void close() {
    server.close();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try {
      var answer = operations.run(operation(exchange), request(exchange));
      answer(200, JSON.writeValueAsBytes(answer)).send(exchange);
    } catch (ServiceFault e) {
      var body = Map.of("__type", e.type(), "Message", String.valueOf(e.getMessage()));
      answer(400, JSON.writeValueAsBytes(body)).send(exchange);
    }
  }

  private static String operation(HttpExchange exchange) {
    var target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    if (target == null || !target.startsWith(TARGET)) {
      throw new ServiceFault("UnknownOperationException", "X-Amz-Target names no operation");
    }
    return target.substring(TARGET.length());
  }

  private static JsonNode request(HttpExchange exchange) throws IOException {
    var body =
        RequestBody.read(exchange, MAX_REQUEST)
            .orElseThrow(() -> ServiceFault.invalid("the request is too long"));
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw new ServiceFault("SerializationException", "the request is not JSON");
    }
  }

  private static Answer answer(int status, byte[] body) {
    return new Answer(
        status, List.of(Map.entry("Content-Type", "application/x-amz-json-1.1")), body);
  }
}
