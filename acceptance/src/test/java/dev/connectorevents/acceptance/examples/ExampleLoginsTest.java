package dev.connectorevents.acceptance.examples;

import static dev.connectorevents.acceptance.examples.ConnectedService.LOGIN;
import static dev.connectorevents.acceptance.examples.ConnectedService.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.emulator.http.HttpAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each connector does while its token ends, the service restarts, or it cannot log in. */
class ExampleLoginsTest {

  /** The longest time that a restart and a login may take together, on a busy machine. */
  private static final Duration LONGEST_OUTAGE = Duration.ofSeconds(60);

  private static final int DELIVERIES = Nightly.choose(32, 500);
  private static final int THREADS = 8;

  @AutoClose private static final ConnectedService connected = new ConnectedService();

  private final UnreliableGateway gateway = connected.gateway();

  /** The topic of this test's webhooks. No other test has it. */
  private final String topic = "t" + UUID.randomUUID();

  @ParameterizedTest
  @EnumSource
  @Promise("sends the event again under the same key")
  void each_event_is_stored_once_while_the_service_restarts_and_the_token_is_revoked(
      ConnectorKind kind) throws Exception {
    gateway.reset();
    List<String> payloads =
        IntStream.range(0, DELIVERIES).mapToObj(ExampleLoginsTest::payload).toList();
    try (ExampleConnector connector = connected.start(kind, LOGIN);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Callable<Integer>> deliveries =
          payloads.stream().map(payload -> untilAccepted(connector, payload)).toList();
      threads.invokeAll(deliveries.subList(0, DELIVERIES / 2));
      await(() -> gateway.answerCount(kind.path()) > 0);
      connected.service().operator().manageUsers("revoke-tokens", ConnectedService.EMAIL);
      Future<?> restart = threads.submit(connected.service()::kill);
      for (Future<Integer> delivery : threads.invokeAll(deliveries)) { // the first half again
        assertThat(delivery.get()).isEqualTo(200);
      }
      restart.get();
      await(() -> connected.count(topic) == DELIVERIES);
      assertThat(connector.stop()).isTrue();
    }

    assertThat(StoredWebhook.payloads(connected.service(), "shopify." + topic))
        .containsExactlyInAnyOrderElementsOf(payloads);
    assertThat(gateway.answerCount(UnreliableGateway.LOGIN)).isBetween(2, 3);
    assertThat(gateway.requestCount(UnreliableGateway.REFRESH)).isPositive();
    if (!kind.hasOutbox()) {
      assertThat(gateway.requestCount(kind.path())).isGreaterThan(DELIVERIES + DELIVERIES / 2);
    }
  }

  /**
   * Returns a task that delivers a webhook until it gets a 2xx, as a provider does, but with
   * shorter pauses.
   */
  private Callable<Integer> untilAccepted(ExampleConnector connector, String payload) {
    String id = UUID.randomUUID().toString();
    return () -> {
      Instant deadline = Instant.now().plus(LONGEST_OUTAGE);
      int status = connector.deliver(topic, id, payload);
      while (status == 503 && Instant.now().isBefore(deadline)) {
        Thread.sleep(100);
        status = connector.deliver(topic, id, payload);
      }
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
  @EnumSource
  void a_login_that_was_refused_is_not_repeated(ConnectorKind kind) throws Exception {
    gateway.reset();
    Map<String, String> wrong = new HashMap<>(LOGIN);
    wrong.put("CONNECTOR_API_PASSWORD", "wrong");
    try (ExampleConnector connector = connected.start(kind, wrong)) {
      assertThat(connector.deliver(topic, "1", "{}")).isEqualTo(kind.unsettled());
      await(() -> connector.log().stream().anyMatch(line -> line.contains("invalid_credentials")));
      assertThat(connector.deliver(topic, "2", "{}")).isEqualTo(kind.unsettled());
    }

    assertThat(gateway.requestCount(UnreliableGateway.LOGIN)).isEqualTo(1);
    assertThat(gateway.requestCount(kind.path())).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void a_login_that_fails_settles_no_event_and_its_token_is_never_logged(ConnectorKind kind)
      throws Exception {
    List<HttpAnswer> logins =
        List.of(
            new HttpAnswer(
                422,
                List.of(Map.entry("Content-Type", "application/problem+json")),
                "{\"code\":\"validation_failed\",\"shown\":\"secret\"}".getBytes(UTF_8)),
            HttpAnswer.json(
                401, "{\"message\":\"Unauthorized\"}"), // of a proxy: says nothing of the password
            HttpAnswer.json(
                200,
                "{\"access_token\":\"secret\\n\",\"expires_in\":3600,"
                    + "\"other\":{\"access_token\":\"secret\"}}"));
    try (ExampleConnector connector = connected.start(kind, LOGIN)) {
      gateway.answer(UnreliableGateway.LOGIN, logins.getFirst());
      assertThat(connector.deliver(topic, topic, "{}")).isEqualTo(kind.unsettled());
      Callable<Integer> again = // an outbox has it already
          () -> kind.hasOutbox() ? 0 : connector.deliver(topic, topic, "{}");
      for (HttpAnswer login : logins) {
        gateway.reset();
        gateway.answer(UnreliableGateway.LOGIN, login);
        await(() -> {
          assertThat(again.call()).isIn(0, 503);
          return gateway.requestCount(UnreliableGateway.LOGIN) > 0;
        });
        assertThat(gateway.requestCount(kind.path())).isZero();
      }
      gateway.forwardAll();
      await(() -> again.call() != 503);
      await(() -> connected.count(topic) == 1);
      assertThat(connector.log()).noneMatch(line -> line.contains("secret"));
      assertThat(connector.refused(topic)).isEmpty();
    }
  }
}
