package dev.connectorevents.functions.resilience;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.connectorevents.functions.GatewayEvent;
import dev.connectorevents.functions.GatewayEvent.Answer;
import dev.connectorevents.functions.RecordingContext;
import dev.connectorevents.functions.TestService;
import dev.connectorevents.functions.login.LoginFunction;
import dev.connectorevents.functions.me.MeFunction;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** DynamoDB and Secrets Manager accept connections, but answer only the last try or none. */
@Timeout(15) // the function's own time-out in the template
class HangingDependencyTest {

  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "USERS_TABLE", "users",
          "LOGIN_ATTEMPTS_TABLE", "attempts",
          "SIGNING_KEY_SECRET_ARN", "arn",
          "TOKEN_ISSUER", "issuer",
          "TOKEN_LIFETIME_SECONDS", "3600",
          "BCRYPT_COST", "4");

  private final ServerSocket silent = listen();

  @BeforeEach
  void leadTheSdkThere() {
    leadTheSdkTo(silent.getLocalPort());
  }

  private static void leadTheSdkTo(int port) {
    String endpoint = "http://127.0.0.1:" + port;
    System.setProperty("aws.endpointUrlDynamoDb", endpoint);
    System.setProperty("aws.endpointUrlSecretsManager", endpoint);
    System.setProperty("aws.region", "us-east-1");
    System.setProperty("aws.accessKeyId", "key");
    System.setProperty("aws.secretAccessKey", "secret");
  }

  @AfterEach
  void restore() throws IOException {
    for (String property :
        new String[] {
          "endpointUrlDynamoDb",
          "endpointUrlSecretsManager",
          "region",
          "accessKeyId",
          "secretAccessKey"
        }) {
      System.clearProperty("aws." + property);
    }
    silent.close();
  }

  @Test
  void a_login_gets_503_if_the_attempts_cannot_be_counted() {
    assertUnavailable(
        GatewayEvent.read("login"), new LoginFunction(ENVIRONMENT), "GetItem on login attempts");
  }

  @Test
  void a_token_gets_503_if_the_signing_key_cannot_be_read() {
    String token = new TestService().token();

    assertUnavailable(
        GatewayEvent.read("me").withToken(token), new MeFunction(ENVIRONMENT), "GetSecretValue");
  }

  @Test
  void a_host_without_an_address_is_a_failing_dependency() {
    Map<String, String> environment = new HashMap<>(ENVIRONMENT);
    environment.put("ENDPOINT_URL", "http://no-such-host.invalid"); // RFC 6761, 6.4

    assertUnavailable(GatewayEvent.read("login"), new LoginFunction(environment), "GetItem");
  }

  @Test
  void an_answer_that_is_not_http_is_a_failing_dependency() throws IOException {
    try (ServerSocket garbling = listen()) {
      Thread.ofVirtual().start(() -> garble(garbling));
      leadTheSdkTo(garbling.getLocalPort());

      assertUnavailable(GatewayEvent.read("login"), new LoginFunction(ENVIRONMENT), "GetItem");
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
    late.createContext("/", exchange -> answerTheThird(tries.incrementAndGet(), exchange));
    late.start();
    leadTheSdkTo(late.getAddress().getPort());
    RecordingContext context = new RecordingContext(5_000);

    Answer answer = GatewayEvent.read("login").sendTo(new LoginFunction(ENVIRONMENT), context);

    late.stop(0);
    assertThat(answer.code()).isEqualTo("temporarily_unavailable");
    assertThat(context.lines().getFirst()).contains("on login attempts failed");
    assertThat(tries)
        .as("tries beyond the first call, whose third try succeeds")
        .hasValueBetween(3, 9);
  }

  /** Answers every third try; all other tries fail late. */
  private static void answerTheThird(int number, HttpExchange exchange) throws IOException {
    try (exchange) {
      if (number % 3 != 0) {
        LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
      }
      exchange.sendResponseHeaders(number % 3 == 0 ? 200 : 500, 2);
      exchange.getResponseBody().write("{}".getBytes(UTF_8));
    }
  }

  private static void assertUnavailable(
      GatewayEvent event, RequestStreamHandler function, String call) {
    RecordingContext context = new RecordingContext();

    Answer answer = event.sendTo(function, context);

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.code()).isEqualTo("temporarily_unavailable");
    assertThat(answer.headers()).containsEntry("Retry-After", "1");
    assertThat(context.lines().getFirst()).contains(call);
  }

  private static ServerSocket listen() {
    try {
      return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
