package dev.connectorevents.acceptance.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.user.Role;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** A service behind an {@link UnreliableGateway}, and connectors that send events through that. */
final class ConnectedService implements AutoCloseable {

  static final String EMAIL = "shop@example.com";

  /** In JSON, this password needs escapes. */
  static final String PASSWORD = "correct \"horse\" \\ é";

  /** Settings that make an outbox quick. */
  private static final Map<String, String> QUICK = Map.of("PAUSE", "0.02", "PARKED", "0.2");

  private final World service = World.start();
  private final UnreliableGateway gateway = new UnreliableGateway(service::baseUrl);

  ConnectedService() {
    service.createUser(EMAIL, PASSWORD, Role.CONNECTOR);
  }

  World service() {
    return service;
  }

  UnreliableGateway gateway() {
    return gateway;
  }

  /** Starts a connector for one test. */
  ExampleConnector start(Map<String, String> settings) throws IOException, InterruptedException {
    return start(ExampleConnector.python(), settings);
  }

  /** As the other, with this command. */
  ExampleConnector start(List<String> command, Map<String, String> settings) throws IOException {
    Map<String, String> all = new HashMap<>(QUICK);
    all.putAll(settings);
    return new ExampleConnector(command, gateway.endpoint(), all);
  }

  String token() {
    return service.operator().staticToken(EMAIL);
  }

  /** The number of stored webhooks of a topic of Shopify's. */
  int count(String topic) {
    return StoredWebhook.count(service, "shopify." + topic);
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
    gateway.close();
    service.close();
  }
}
