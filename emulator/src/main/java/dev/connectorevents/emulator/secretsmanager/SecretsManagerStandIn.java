package dev.connectorevents.emulator.secretsmanager;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import dev.connectorevents.emulator.function.FunctionInvoker;
import dev.connectorevents.emulator.function.Invocation;
import dev.connectorevents.emulator.http.HttpAnswer;
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

/** Secrets Manager in its protocol, AWS JSON 1.1. Does not check signatures. */
public final class SecretsManagerStandIn implements AutoCloseable {

  private static final String TARGET = "secretsmanager.";
  private static final int MAX_REQUEST = 1 << 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Secrets secrets;
  private final LoopbackServer server;
  private volatile Operations operations;

  /**
   * Starts it with the template's secrets.
   *
   * @param port 0 for any free one
   * @param file keeps the secrets; without it, they stay in memory
   * @throws IOException when the port is taken or the file cannot be read
   */
  public static SecretsManagerStandIn start(
      int port, Optional<Path> file, List<SecretDefinition> definitions) throws IOException {
    Secrets secrets = new Secrets(file, Clock.systemUTC());
    secrets.create(definitions);
    return new SecretsManagerStandIn(port, secrets);
  }

  private SecretsManagerStandIn(int port, Secrets secrets) throws IOException {
    this.secrets = secrets;
    FunctionInvoker none =
        (function, event) -> Invocation.Failed.of("none", "the functions have not started yet");
    operations = new Operations(secrets, new Rotations(secrets, List.of(), none));
    server = LoopbackServer.bind(port);
    server.serve(Map.of("/", this::handle));
  }

  /** Enables rotation. Call after the functions have started: they need this server first. */
  public void enableRotation(List<RotationDefinition> rotations, FunctionInvoker invoker) {
    operations = new Operations(secrets, new Rotations(secrets, rotations, invoker));
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
      send(exchange, 200, operations.run(operation(exchange), parameters(exchange)));
    } catch (ServiceFault e) {
      send(exchange, 400, Map.of("__type", e.type(), "Message", String.valueOf(e.getMessage())));
    }
  }

  private static String operation(HttpExchange exchange) {
    String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    if (target == null || !target.startsWith(TARGET)) {
      throw new ServiceFault("UnknownOperationException", "X-Amz-Target names no operation");
    }
    return target.substring(TARGET.length());
  }

  private static OperationParameters parameters(HttpExchange exchange) throws IOException {
    byte[] body =
        RequestBody.read(exchange, MAX_REQUEST)
            .orElseThrow(() -> ServiceFault.invalid("the request is too long"));
    try {
      return JSON.readValue(body, OperationParameters.class);
    } catch (JsonProcessingException e) {
      throw new ServiceFault("SerializationException", e.getOriginalMessage());
    }
  }

  private static void send(HttpExchange exchange, int status, Map<String, ?> body)
      throws IOException {
    Map.Entry<String, String> type = Map.entry("Content-Type", "application/x-amz-json-1.1");
    new HttpAnswer(status, List.of(type), JSON.writeValueAsBytes(body)).send(exchange);
  }
}
