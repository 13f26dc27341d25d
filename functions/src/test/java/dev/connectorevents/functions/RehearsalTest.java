package dev.connectorevents.functions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.net.httpserver.HttpServer;
import dev.connectorevents.aws.DependencyUnavailableException;
import dev.connectorevents.functions.createevent.CreateEventFunction;
import dev.connectorevents.functions.login.LoginFunction;
import dev.connectorevents.functions.me.MeFunction;
import dev.connectorevents.functions.refresh.RefreshFunction;
import dev.connectorevents.http.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;
import org.crac.Core;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a function does before a snapshot of it is taken, as far as AWS sees it. */
class RehearsalTest {

  private final List<String> calls = new CopyOnWriteArrayList<>();
  private HttpServer aws;
  private volatile int status = 200;

  @BeforeEach
  void start() throws IOException {
    aws = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    aws.createContext(
        "/",
        exchange -> {
          calls.add(exchange.getRequestHeaders().getFirst("X-Amz-Target"));
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(status, 2);
          exchange.getResponseBody().write("{}".getBytes(UTF_8));
          exchange.close();
        });
    aws.start();
    System.setProperty("aws.region", "us-east-1");
    System.setProperty("aws.accessKeyId", "key");
    System.setProperty("aws.secretAccessKey", "secret");
  }

  @AfterEach
  void stop() {
    System.clearProperty("aws.region");
    System.clearProperty("aws.accessKeyId");
    System.clearProperty("aws.secretAccessKey");
    aws.stop(0);
  }

  private static Stream<Named<Function<Map<String, String>, ApiGatewayFunction>>> functions() {
    return Stream.of(
        Named.of("login", LoginFunction::new),
        Named.of("refresh", RefreshFunction::new),
        Named.of("me", MeFunction::new),
        Named.of("createevent", CreateEventFunction::new));
  }

  @ParameterizedTest
  @MethodSource("functions")
  void a_function_reads_a_user_reads_no_secret_and_stores_nothing(
      Function<Map<String, String>, ApiGatewayFunction> function) {
    ApiGatewayFunction started = function.apply(environment());

    started.beforeCheckpoint(Core.getGlobalContext());
    started.afterRestore(Core.getGlobalContext());

    assertThat(calls).isNotEmpty().containsOnly("DynamoDB_20120810.GetItem");
  }

  @ParameterizedTest
  @MethodSource("functions")
  void a_table_that_cannot_be_read_fails_the_snapshot(
      Function<Map<String, String>, ApiGatewayFunction> function) {
    status = 400;
    ApiGatewayFunction started = function.apply(environment());

    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> started.beforeCheckpoint(Core.getGlobalContext()))
        .withMessageContaining("GetItem on users");
  }

  @Test
  void an_answer_that_is_no_success_fails_the_snapshot() {
    Rehearsal rehearsal = new Rehearsal(wiring -> answering(Response.json(503, Map.of())), "");

    assertThatIllegalStateException()
        .isThrownBy(() -> rehearsal.run(environment()))
        .withMessageContaining("503");
    assertThat(calls).isEmpty();
  }

  private static ApiGatewayFunction answering(Response response) {
    return new ApiGatewayFunction(request -> response) {
      @Override
      protected Rehearsal rehearsal() {
        throw new AssertionError("it is the second one");
      }
    };
  }

  private Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    environment.put("USERS_TABLE", "users");
    environment.put("LOGIN_ATTEMPTS_TABLE", "attempts");
    environment.put("EVENTS_TABLE", "events");
    environment.put("EVENT_RETENTION_DAYS", "0");
    environment.put("SIGNING_KEY_SECRET_ARN", "arn");
    environment.put("TOKEN_ISSUER", "issuer");
    environment.put("TOKEN_LIFETIME_SECONDS", "3600");
    environment.put("SESSION_LIFETIME_DAYS", "7");
    environment.put("BCRYPT_COST", "12");
    environment.put("ENDPOINT_URL", "http://127.0.0.1:" + aws.getAddress().getPort());
    return environment;
  }
}
