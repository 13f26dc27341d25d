package dev.connectorevents.acceptance.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.user.Role;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;

/** A service behind an {@link UnreliableGateway}, and connectors that send events through that. */
final class ConnectedService implements AutoCloseable {

  static final String EMAIL = "shop@example.com";

  /** In JSON, this password needs escapes. */
  static final String PASSWORD = "correct \"horse\" \\ é";

  static final Map<String, String> LOGIN =
      Map.of("CONNECTOR_API_EMAIL", EMAIL, "CONNECTOR_API_PASSWORD", PASSWORD);

  /** Settings that make an outbox quick. */
  private static final Map<String, String> QUICK = Map.of("PAUSE", "0.02", "PARKED", "0.2");

  private final World service = World.start();
  private final UnreliableGateway gateway = new UnreliableGateway(service::baseUrl);
  private final Map<ConnectorKind, ExampleConnector> running = new EnumMap<>(ConnectorKind.class);

  ConnectedService() {
    service.createUser(EMAIL, PASSWORD, Role.CONNECTOR);
  }

  World service() {
    return service;
  }

  UnreliableGateway gateway() {
    return gateway;
  }

  /**
   * The running connector of this kind. Its settings end in a newline, and its URL in a slash, as
   * {@code docs/connectors.md} allows.
   */
  ExampleConnector running(ConnectorKind kind) throws IOException, InterruptedException {
    ExampleConnector connector = running.get(kind);
    if (connector == null) {
      Map<String, String> settings = new HashMap<>(QUICK);
      settings.put("CONNECTOR_API_TOKEN", token(EMAIL) + "\n");
      settings.put("WEBHOOK_SECRET", Provider.SECRET + "\r\n");
      URI withSlash = gateway.endpoint().resolve("/");
      connector = new ExampleConnector(kind, withSlash, settings);
      running.put(kind, connector);
    }
    return connector;
  }

  /** Starts a connector for one test. */
  ExampleConnector start(ConnectorKind kind, Map<String, String> settings)
      throws IOException, InterruptedException {
    return start(kind, kind.command(), settings);
  }

  /** As the other, with this command. */
  ExampleConnector start(ConnectorKind kind, List<String> command, Map<String, String> settings)
      throws IOException {
    Map<String, String> all = new HashMap<>(QUICK);
    all.putAll(settings);
    return new ExampleConnector(kind, command, gateway.endpoint(), all);
  }

  /** Issues a static token for a user. */
  String token(String email) {
    JsonNode issued = service.operator().manageUsers("issue-static-token", email);
    return issued.at("/token/access_token").textValue();
  }

  /** The stored payloads of Shopify's webhooks of a topic. */
  Set<String> stored(String topic) {
    return new TreeSet<>(StoredWebhook.payloads(service, "shopify." + topic));
  }

  /** The number of stored webhooks of a topic of Shopify's. */
  int count(String topic) {
    return StoredWebhook.count(service, "shopify." + topic);
  }

  /** Those of the keys under which {@link #EMAIL} has no event. */
  List<String> missing(Collection<String> keys) throws IOException {
    String body = new ObjectMapper().writeValueAsString(Map.of("idempotency_keys", keys));
    return service
        .client()
        .post(
            UnreliableGateway.EVENTS + "/missing", body, "Authorization", "Bearer " + token(EMAIL))
        .body()
        .get("missing")
        .valueStream()
        .map(JsonNode::textValue)
        .toList();
  }

  /** Waits for up to three minutes: a starved machine needs one. */
  static void await(Callable<Boolean> condition) throws Exception {
    Instant deadline = Instant.now().plusSeconds(180);
    while (!condition.call()) {
      assertThat(Instant.now()).isBefore(deadline);
      Thread.sleep(20);
    }
  }

  @Override
  public void close() throws IOException {
    for (ExampleConnector connector : List.copyOf(running.values())) {
      connector.close();
    }
    gateway.close();
    service.close();
  }
}
