package dev.connectorevents.acceptance.examples;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Locale.ROOT;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.examples.ExampleConnector.Language;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.dynamodb.events.Tombstones;
import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.local.ServedLocally;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs the connectors of {@code examples/} that answer the provider only after the event is stored.
 * The provider delivers each webhook again until it gets a 2xx. Some answers of the service are
 * lost.
 */
class ExamplesTest {

  private static final String EMAIL = "connector@example.com";
  private static final Map<String, String> LOGIN =
      Map.of("CONNECTOR_API_EMAIL", EMAIL, "CONNECTOR_API_PASSWORD", "correct \"horse\" \\ é");

  /**
   * The longest time that a restart of the service and a login may take together, on a busy
   * machine.
   */
  private static final Duration LONGEST_OUTAGE = Duration.ofSeconds(60);

  private static final int DELIVERIES = Nightly.choose(60, 500);
  private static final int THREADS = 8;

  @TempDir private static Path data;
  private static ServedLocally service;
  private static UnreliableGateway gateway;

  @BeforeAll
  static void start() throws IOException {
    service = ServedLocally.startWith(data, LOGIN);
    gateway = new UnreliableGateway(service.url());
  }

  @AfterAll
  static void stop() {
    gateway.close();
    service.close();
  }

  @ParameterizedTest
  @EnumSource(Language.class)
  void stores_each_event_once_while_the_service_restarts_and_the_token_is_revoked(Language language)
      throws Exception {
    language.assumeInstalled();
    gateway.reset();
    List<String> payloads = IntStream.range(0, DELIVERIES).mapToObj(ExamplesTest::payload).toList();
    try (ExampleConnector connector =
        new ExampleConnector(language.compiled(), gateway.endpoint(), LOGIN)) {
      CountDownLatch some = new CountDownLatch(DELIVERIES / 4);
      try (ExecutorService provider = Executors.newFixedThreadPool(THREADS)) {
        List<Future<?>> deliveries = new ArrayList<>();
        for (String payload : payloads) {
          deliveries.add(provider.submit(untilAccepted(connector, payload, some)));
        }
        assertThat(some.await(LONGEST_OUTAGE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        manageUsers("revoke-tokens");
        service.close();
        service = ServedLocally.startWith(data, LOGIN);
        gateway.forwardTo(service.url());
        for (Future<?> delivery : deliveries) {
          delivery.get();
        }
      }
      assertThat(connector.stop()).isTrue();
      assertThat(stored(connector)).containsExactlyInAnyOrderElementsOf(payloads);
    }

    assertThat(gateway.answerCount(UnreliableGateway.LOGIN)).isBetween(2, 3);
    assertThat(gateway.requestCount(UnreliableGateway.REFRESH)).isPositive();
    assertThat(gateway.requestCount(UnreliableGateway.EVENTS)).isGreaterThan(DELIVERIES);
  }

  /**
   * Returns a task that delivers a webhook until it gets a 2xx, as a provider does, but with
   * shorter pauses.
   */
  private static Callable<Integer> untilAccepted(
      ExampleConnector connector, String payload, CountDownLatch accepted) {
    String id = UUID.randomUUID().toString();
    return () -> {
      Instant deadline = Instant.now().plus(LONGEST_OUTAGE);
      int status = connector.deliver(id, payload);
      while (status != 200) {
        assertThat(status).isEqualTo(503);
        assertThat(Instant.now()).isBefore(deadline);
        Thread.sleep(100);
        status = connector.deliver(id, payload);
      }
      accepted.countDown();
      return status;
    };
  }

  private static String payload(int number) {
    return switch (number % 4) {
      case 0 -> "{\"n\":" + number + ",\"id\":820982911946154508,\"total\":1.0,\"huge\":1E400}";
      case 1 -> "{ \"n\" : " + number + ",\r\n\t\"name\" : \"Zo\\u00eb, Zoë 😀 } \\\"\" }";
      case 2 -> "{\"n\":" + number + ",\"n\":0.1234567890123456789012345678901,\"at\":{}}";
      default -> "{\"z\":[{},{\"a\":null}],\"n\":" + number + "  }";
    };
  }

  @ParameterizedTest
  @EnumSource(Language.class)
  void with_a_static_token_stores_what_the_provider_signed_and_nothing_else(Language language)
      throws Exception {
    language.assumeInstalled();
    gateway.reset();
    String token = manageUsers("issue-static-token").at("/token/access_token").textValue();
    try (ExampleConnector connector =
        new ExampleConnector(
            language.compiled(), gateway.endpoint(), Map.of("CONNECTOR_API_TOKEN", token))) {
      String id = UUID.randomUUID().toString();
      assertThat(connector.deliver(id, "{ }")).isEqualTo(200);
      assertThat(connector.deliver(id, "{ }")).isEqualTo(200);
      assertThat(stored(connector)).containsExactly("{ }");
      assertThat(gateway.requestCount(UnreliableGateway.EVENTS)).isEqualTo(2);

      String forged = "{\"forged\":1}";
      for (String signature : List.of("", "é", "AAAA", signature("{\"forged\":2}"))) {
        assertThat(forge(connector, "forged", forged, signature)).as(signature).isEqualTo(401);
      }
      assertThat(stored(connector)).hasSize(1);
      assertThat(gateway.requestCount(UnreliableGateway.EVENTS)).isEqualTo(2);

      assertThat(connector.deliverAsThePageSays()).matches("(?s)HTTP/1.1 200 .*");
      assertThat(stored(connector)).hasSize(2);
      assertThat(gateway.requestCount(UnreliableGateway.LOGIN)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Language.class)
  void logs_what_was_erased_and_keeps_the_provider_from_sending_it_again(Language language)
      throws Exception {
    language.assumeInstalled();
    gateway.reset();
    try (ExampleConnector connector =
        new ExampleConnector(language.compiled(), gateway.endpoint(), LOGIN)) {
      String id = UUID.randomUUID().toString();
      assertThat(connector.deliver(id, "{}")).isEqualTo(200);
      Emulator emulator = service.service();
      StoredWebhook stored = all(connector).getFirst();
      new Tombstones(emulator.dynamoDb(), emulator.name("EventsTable")).put(stored.id());

      assertThat(connector.deliver(id, "{}")).isEqualTo(200);
      assertThat(stored(connector)).isEmpty();
      assertThat(connector.log())
          .anyMatch(line -> line.contains(id) && line.contains("event_erased"));
    }
  }

  @ParameterizedTest
  @EnumSource(Language.class)
  void lets_the_provider_retry_an_event_outside_its_scope_until_an_operator_widens_it(
      Language language) throws Exception {
    language.assumeInstalled();
    gateway.reset();
    String user = "\"email\":\"%s@example.com\"".formatted(language.name().toLowerCase(ROOT));
    invokeManageUsers("\"action\":\"create\",\"event_types\":[\"github.*\"]," + user);
    JsonNode issued = invokeManageUsers("\"action\":\"issue-static-token\"," + user);
    String token = issued.at("/token/access_token").textValue();
    try (ExampleConnector connector =
        new ExampleConnector(
            language.compiled(), gateway.endpoint(), Map.of("CONNECTOR_API_TOKEN", token))) {
      String id = UUID.randomUUID().toString();
      assertThat(connector.deliver(id, "{}")).isEqualTo(503);
      assertThat(connector.log()).anyMatch(line -> line.contains(id) && line.contains("forbidden"));

      invokeManageUsers("\"action\":\"set-scope\",\"event_types\":[\"shopify.*\"]," + user);

      assertThat(connector.deliver(id, "{}")).isEqualTo(200);
      assertThat(stored(connector)).containsExactly("{}");
    }
  }

  @ParameterizedTest
  @EnumSource(Language.class)
  void does_not_repeat_a_login_that_was_refused(Language language) throws Exception {
    language.assumeInstalled();
    gateway.reset();
    Map<String, String> wrong =
        Map.of("CONNECTOR_API_EMAIL", EMAIL, "CONNECTOR_API_PASSWORD", "wrong");
    try (ExampleConnector connector =
        new ExampleConnector(language.compiled(), gateway.endpoint(), wrong)) {
      assertThat(connector.deliver("1", "{}")).isEqualTo(503);
      assertThat(connector.deliver("2", "{}")).isEqualTo(503);

      assertThat(gateway.requestCount(UnreliableGateway.LOGIN)).isEqualTo(1);
      assertThat(gateway.requestCount(UnreliableGateway.EVENTS)).isZero();
      assertThat(connector.log()).anyMatch(line -> line.contains("invalid_credentials"));
    }
  }

  /** In Java, a request's own time-out ends with the headers of the answer. */
  @Test
  void closes_the_connection_of_an_answer_that_does_not_end() throws Exception {
    Map<String, String> token = Map.of("CONNECTOR_API_TOKEN", "token");
    try (ServerSocket stalling = new ServerSocket(0);
        ExampleConnector connector =
            new ExampleConnector(
                Language.JAVA.compiled(),
                URI.create("http://127.0.0.1:" + stalling.getLocalPort()),
                token)) {
      FutureTask<Integer> status = new FutureTask<>(() -> connector.deliver("1", "{}"));
      Thread.ofVirtual().start(status);
      stalling.setSoTimeout(30_000);
      try (Socket connection = stalling.accept()) {
        connection.setSoTimeout(30_000);
        String beginning = "HTTP/1.1 201 Created\r\nContent-Length: 9\r\n\r\n{";
        connection.getOutputStream().write(beginning.getBytes(US_ASCII));
        assertThat(connection.getInputStream().readAllBytes()).isNotEmpty(); // until it is closed
      }
      assertThat(status.get()).isEqualTo(503);
    }
  }

  private static String signature(String payload) {
    return requireNonNull(Provider.SHOPIFY.headers("", "", payload).get("X-Shopify-Hmac-Sha256"));
  }

  /** Delivers a webhook with this signature, and returns the status of the answer. */
  private static int forge(ExampleConnector connector, String id, String payload, String signature)
      throws Exception {
    Map<String, String> headers =
        new HashMap<>(Provider.SHOPIFY.headers(connector.topic(), id, payload));
    headers.put("X-Shopify-Hmac-Sha256", signature);
    return connector.post("/webhooks", payload, headers);
  }

  private static JsonNode manageUsers(String action) {
    return service.manageUsers(action, EMAIL);
  }

  private static JsonNode invokeManageUsers(String members) {
    String function = "/2015-03-31/functions/ManageUsersFunction/invocations";
    return ServedLocally.read(service.send("POST", function, "{" + members + "}").body());
  }

  /**
   * The connector's stored payloads, without the {@code _meta} that it appended. Checks each {@code
   * _meta}.
   */
  private static List<String> stored(ExampleConnector connector) {
    return all(connector).stream()
        .peek(webhook -> {
          assertThat(webhook.meta().fieldNames())
              .toIterable()
              .containsExactlyInAnyOrder(
                  "source", "topic", "request_id", "shop", "brand_id", "received_at");
          assertThat(webhook.meta().get("shop").textValue()).isEqualTo(Provider.SHOP);
          assertThat(webhook.meta().get("brand_id").textValue()).isEqualTo(Provider.SHOP);
        })
        .map(StoredWebhook::payload)
        .toList();
  }

  private static List<StoredWebhook> all(ExampleConnector connector) {
    return StoredWebhook.all(service, "shopify." + connector.topic());
  }
}
