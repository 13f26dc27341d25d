package dev.connectorevents.functions.wiring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.connectorevents.Promise;
import dev.connectorevents.event.Deliveries;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Meta;
import dev.connectorevents.event.Payload;
import dev.connectorevents.functions.createevent.CreateEventFunction;
import dev.connectorevents.functions.login.LoginFunction;
import dev.connectorevents.functions.operators.users.ManageUsersFunction;
import dev.connectorevents.functions.refresh.RefreshFunction;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WiringTest {

  private static final Map<String, Function<Map<String, String>, Object>> FUNCTIONS =
      Map.of(
          "login", LoginFunction::new,
          "refresh", RefreshFunction::new,
          "createevent", CreateEventFunction::new,
          "manageusers", ManageUsersFunction::new);

  private static final Map<String, String> COMPLETE =
      Map.ofEntries(
          Map.entry("USERS_TABLE", "users"),
          Map.entry("PASSWORD_HASHES_TABLE", "hashes"),
          Map.entry("LOGIN_ATTEMPTS_TABLE", "attempts"),
          Map.entry("EVENTS_TABLE", "events"),
          Map.entry("EVENT_RETENTION_DAYS", "0"),
          Map.entry("EVENT_RETENTION_RULES", ""),
          Map.entry("SIGNING_KEY_SECRET_ARN", "arn"),
          Map.entry("TOKEN_ISSUER", "issuer"),
          Map.entry("TOKEN_LIFETIME_SECONDS", "3600"),
          Map.entry("SESSION_LIFETIME_DAYS", "7"),
          Map.entry("BCRYPT_COST", "12"),
          Map.entry("BACKUP_DAYS", "35"),
          Map.entry("KEY_ROTATION_DAYS", "30"));

  @ParameterizedTest
  @CsvSource({
    "login, TOKEN_LIFETIME_SECONDS",
    "login, BCRYPT_COST",
    "refresh, SESSION_LIFETIME_DAYS",
    "manageusers, KEY_ROTATION_DAYS"
  })
  void a_variable_that_is_not_a_number_is_named(String function, String variable) {
    Map<String, String> environment = new HashMap<>(COMPLETE);
    environment.put(variable, "soon");

    assertThatIllegalStateException()
        .isThrownBy(() -> start(function, environment))
        .withMessage("the environment variable " + variable + " is not a whole number");
  }

  @Test
  @Promise("A test shows that the function does not start.")
  void a_wrong_retention_rule_keeps_the_function_from_starting_and_is_named() {
    Map<String, String> environment = new HashMap<>(COMPLETE);
    environment.put("EVENT_RETENTION_RULES", "github.*=90,github.*=30");

    assertThatIllegalStateException()
        .isThrownBy(() -> start("createevent", environment))
        .withMessage(
            "the environment variable EVENT_RETENTION_RULES: the rule github.*=30 is wrong: there"
                + " are two rules for its pattern");
  }

  @Test
  @Promise("`days` is an integer from 1 to `KeyRotationDays` − 2")
  void each_variable_has_the_unit_in_its_name() {
    Wiring wiring = new Wiring(COMPLETE);

    assertThat(wiring.tokenLifetime()).isEqualTo(Duration.ofHours(1));
    assertThat(wiring.sessionLifetime()).isEqualTo(Duration.ofDays(7));
    assertThat(wiring.staticTokenMaxDays()).as("two less than the rotation's").isEqualTo(28);
    assertThat(wiring.bcryptCost()).isEqualTo(12);
    assertThat(wiring.backups()).isEqualTo(Duration.ofDays(35));
    assertThat(wiring.signingKeySecretId()).isEqualTo("arn");
  }

  @Test
  void an_interrupted_wait_ends_at_once_and_the_thread_stays_interrupted() {
    Consumer<Duration> waiting = new Wiring(COMPLETE).waiting();

    Thread.currentThread().interrupt();
    Throwable thrown = catchThrowable(() -> waiting.accept(Duration.ofMinutes(1)));
    boolean isInterrupted = Thread.interrupted();

    assertThat(thrown).isInstanceOf(IllegalStateException.class).hasMessageContaining("waiting");
    assertThat(isInterrupted).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"90, '', 90", "90, a.*=30, 30", "0, a.*=30, 30"})
  @Promise("`EventRetentionDays` is for all events")
  void an_event_is_kept_for_the_days_in_its_variables(String days, String rules, int kept)
      throws IOException {
    EventToStore toStore =
        new EventToStore(
            new UUID(1, 2),
            new EventType("a.b"),
            Deliveries.NONE,
            new Payload("{}", new Meta(Map.of())),
            new UUID(3, 4),
            Optional.empty(),
            Instant.EPOCH);
    List<String> written = new CopyOnWriteArrayList<>();
    HttpServer server =
        aws(exchange -> written.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
    Map<String, String> environment = with("ENDPOINT_URL", url(server));
    environment.put("EVENT_RETENTION_DAYS", days);
    environment.put("EVENT_RETENTION_RULES", rules);

    new Wiring(environment).events().store(toStore);

    server.stop(0);
    assertThat(String.join("", written))
        .contains("\"expires_at\":{\"N\":\"" + kept * 86_400 + "\"}");
  }

  private static Map<String, String> with(String variable, String value) {
    Map<String, String> environment = new HashMap<>(COMPLETE);
    environment.put(variable, value);
    return environment;
  }

  /**
   * Starts a server in place of AWS. It passes each call to {@code noting}, and answers with an
   * empty object.
   */
  private static HttpServer aws(HttpHandler noting) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          noting.handle(exchange);
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write("{}".getBytes(UTF_8));
          exchange.close();
        });
    server.start();
    return server;
  }

  private static String url(HttpServer server) {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private static Object start(String function, Map<String, String> environment) {
    Function<Map<String, String>, Object> start = FUNCTIONS.get(function);
    if (start == null) {
      throw new IllegalArgumentException(function);
    }
    return start.apply(environment);
  }
}
