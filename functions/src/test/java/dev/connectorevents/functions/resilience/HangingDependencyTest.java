package dev.connectorevents.functions.resilience;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.Promise;
import dev.connectorevents.functions.GatewayEvent;
import dev.connectorevents.functions.GatewayEvent.ParsedAnswer;
import dev.connectorevents.functions.RecordingContext;
import dev.connectorevents.functions.TestService;
import dev.connectorevents.functions.login.LoginFunction;
import dev.connectorevents.functions.me.MeFunction;
import dev.connectorevents.functions.numberevents.NumberEventsFunction;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;

/**
 * DynamoDB or Secrets Manager fails: it never answers, answers too late, answers no HTTP, or its
 * host has no address.
 *
 * <p>Slow: it waits for time-outs in real time.
 */
@Timeout(60) // ends a call that hangs; each function ends its own before its deadline
@Execution(CONCURRENT) // these tests only wait
class HangingDependencyTest {

  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "USERS_TABLE", "users",
          "PASSWORD_HASHES_TABLE", "hashes",
          "LOGIN_ATTEMPTS_TABLE", "attempts",
          "SIGNING_KEY_SECRET_ARN", "arn",
          "TOKEN_ISSUER", "issuer",
          "TOKEN_LIFETIME_SECONDS", "3600",
          "BCRYPT_COST", "4");

  @AutoClose private final ServerSocket silent = listen();

  @Test
  @Promise({
    "DynamoDB or Secrets Manager throttles, times out or is down",
    "If the service cannot read the keys or the user, it returns 503."
  })
  void a_token_gets_503_if_the_signing_key_cannot_be_read() {
    String token = new TestService().token();

    assertUnavailable(
        GatewayEvent.read("me").withToken(token), new MeFunction(at(silent)), "GetSecretValue");
  }

  @Test
  void a_host_without_an_address_is_a_failing_dependency() {
    String host = "http://no-such-host.invalid"; // RFC 6761, 6.4

    assertUnavailable(GatewayEvent.read("login"), new LoginFunction(at(host)), "GetItem");
  }

  @Test
  void an_answer_that_is_not_http_is_a_failing_dependency() throws IOException {
    try (ServerSocket garbling = listen()) {
      Thread.ofVirtual().start(() -> garble(garbling));

      assertUnavailable(GatewayEvent.read("login"), new LoginFunction(at(garbling)), "GetItem");
    }
  }

  private static void garble(ServerSocket server) {
    while (!server.isClosed()) {
      try (Socket client = server.accept()) {
        client.getOutputStream().write("garbage\r\n\r\n".getBytes(UTF_8));
        client.getInputStream().read();
      } catch (IOException e) {
        // The client or the server is gone.
      }
    }
  }

  @Test
  void a_login_with_many_late_calls_gets_503_before_its_deadline() throws IOException {
    AtomicInteger tries = new AtomicInteger();
    HttpServer late =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    late.createContext("/", exchange -> answer(exchange, 200));
    late.start();
    LoginFunction login = new LoginFunction(at("http://127.0.0.1:" + late.getAddress().getPort()));
    // Loads classes, which takes seconds on a busy machine: they would pass before the first try.
    GatewayEvent.read("login").sendTo(login, new RecordingContext());
    late.removeContext("/");
    late.createContext("/", exchange -> answerTheThird(tries.incrementAndGet(), exchange));
    RecordingContext context = new RecordingContext(5_000);

    ParsedAnswer answer = GatewayEvent.read("login").sendTo(login, context);

    late.stop(0);
    assertThat(answer.code()).isEqualTo("temporarily_unavailable");
    assertThat(context.lines().getFirst()).contains("on login attempts failed");
    assertThat(tries)
        .as("tries beyond the first call, whose third try succeeds")
        .hasValueBetween(3, 9);
  }

  @Test
  void a_call_that_numbers_events_fails_when_no_time_is_left_for_the_feed() {
    Map<String, String> environment = at(silent);
    environment.put("FEED_TABLE", "feed");
    String batch =
        """
        {"shardId":"a","Records":[{"dynamodb":{"SequenceNumber":"1","NewImage":
        {"id":{"S":"00000000-0000-0000-0000-000000000001"},
        "erased_at":{"S":"2026-11-20T12:00:00.000Z"}}}}]}
        """;

    assertThatThrownBy(() ->
            new NumberEventsFunction(environment)
                .handleRequest(
                    new ByteArrayInputStream(batch.getBytes(UTF_8)),
                    OutputStream.nullOutputStream(),
                    new RecordingContext(2_000)))
        .isInstanceOf(DependencyUnavailableException.class)
        .rootCause()
        .hasMessageContaining("no time is left");
  }

  /** Answers every third try at once. Answers every other try after 500 ms, with a 500. */
  private static void answerTheThird(int number, HttpExchange exchange) throws IOException {
    if (number % 3 != 0) {
      LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
    }
    answer(exchange, number % 3 == 0 ? 200 : 500);
  }

  private static void answer(HttpExchange exchange, int status) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(status, 2);
      exchange.getResponseBody().write("{}".getBytes(UTF_8));
    }
  }

  private static void assertUnavailable(
      GatewayEvent event, RequestStreamHandler function, String call) {
    RecordingContext context = new RecordingContext();

    ParsedAnswer answer = event.sendTo(function, context);

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.code()).isEqualTo("temporarily_unavailable");
    assertThat(answer.headers()).containsEntry("Retry-After", "1");
    assertThat(context.lines().getFirst()).contains(call);
  }

  private static Map<String, String> at(ServerSocket server) {
    return at("http://127.0.0.1:" + server.getLocalPort());
  }

  private static Map<String, String> at(String endpoint) {
    Map<String, String> environment = new HashMap<>(ENVIRONMENT);
    environment.put("ENDPOINT_URL", endpoint);
    return environment;
  }

  private static ServerSocket listen() {
    try {
      return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
