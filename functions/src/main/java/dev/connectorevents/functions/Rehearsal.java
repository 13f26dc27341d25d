package dev.connectorevents.functions;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.http.Json;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserState;
import dev.connectorevents.user.UserWithHash;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Requests that nobody sent, before Lambda takes the snapshot that a function's instances start
 * from (SnapStart): what they load and compile is in it.
 *
 * <p>They are served by a second function of the kind, whose calls to AWS are marshalled and signed
 * and then answered from memory; now and then a read is made over the network. The first function,
 * which is the one that is restored, has no part in it: so no connection, credential, key, user or
 * time lies in the snapshot.
 *
 * @see <a href="https://docs.aws.amazon.com/lambda/latest/dg/snapstart-best-practices.html">Best
 *     practices for SnapStart</a>
 */
public final class Rehearsal {

  /** Of the user who is in no table; a login is rehearsed with them. */
  public static final String EMAIL = "rehearsal@connector-events.invalid";

  public static final String PASSWORD = "rehearsal";

  /** Where the runtime tells the SDK of a request's trace. */
  private static final String TRACE = "com.amazonaws.xray.traceHeader";

  // By then the JVM has compiled what a request runs through: what it has not compiled before the
  // snapshot, every instance compiles once more, while requests wait.
  private static final int ROUNDS = 2_000;

  // Not one read at the end: the JVM would compile for the canned transport alone.
  private static final int ROUNDS_PER_READ = 100;

  private final Function<Wiring, ApiGatewayFunction> function;
  private final List<String> bodies;
  private final Clock clock;
  private final Consumer<Duration> waiting;

  /**
   * @param function makes the second one
   * @param bodies of requests that the function takes
   */
  public Rehearsal(Function<Wiring, ApiGatewayFunction> function, String... bodies) {
    this(function, List.of(bodies), Clock.systemUTC(), Rehearsal::sleep);
  }

  /**
   * @param waiting lets so much time pass
   */
  Rehearsal(
      Function<Wiring, ApiGatewayFunction> function,
      List<String> bodies,
      Clock clock,
      Consumer<Duration> waiting) {
    this.function = function;
    this.bodies = List.copyOf(bodies);
    this.clock = clock;
    this.waiting = waiting;
  }

  private static void sleep(Duration duration) {
    try {
      Thread.sleep(duration);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("stopped while it waited", e);
    }
  }

  /**
   * Does it.
   *
   * @param variables the function's
   * @throws IllegalStateException if a request is not answered as it should be
   * @throws dev.connectorevents.aws.DependencyUnavailableException if the users cannot be read for
   *     {@link RehearsalReads#PATIENCE}
   */
  void run(Map<String, String> variables) {
    Map<String, String> environment = new HashMap<>(variables);
    // A password is checked by the same code at any cost.
    environment.computeIfPresent("BCRYPT_COST", (name, cost) -> "4");
    System.setProperty(TRACE, "Root=1-00000000-000000000000000000000000;Sampled=0");
    try {
      run(environment, user());
    } finally {
      System.clearProperty(TRACE);
    }
  }

  private void run(Map<String, String> environment, UserWithHash known) {
    try (Wiring canned = Wiring.canned(environment, known);
        Wiring passing = Wiring.passing(environment)) {
      ApiGatewayFunction second = function.apply(canned);
      User user = known.user();
      RehearsalReads reads = new RehearsalReads(passing.users(), clock, waiting);
      String token =
          canned.tokens().issue(user, canned.clock().instant(), Duration.ofHours(1)).value();
      for (int round = 0; round < ROUNDS; round++) {
        for (String body : bodies) {
          request(second, event(token, body, round));
        }
        if (round % ROUNDS_PER_READ == 0) {
          reads.find(user.email());
        }
      }
    }
  }

  private static void request(ApiGatewayFunction function, String event) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try {
      function.handleRequest(
          new ByteArrayInputStream(event.getBytes(UTF_8)), output, new RehearsalContext());
    } catch (IOException e) {
      throw new IllegalStateException("the rehearsal's event cannot be read", e);
    }
    String answer = output.toString(UTF_8);
    if (!answer.contains("\"statusCode\":20")) {
      throw new IllegalStateException("the rehearsal was answered " + answer);
    }
  }

  private static UserWithHash user() {
    User user =
        new User(
            UUID.randomUUID(),
            new Email(EMAIL),
            "Rehearsal",
            UserState.ACTIVE,
            Instant.EPOCH,
            Instant.EPOCH);
    return new UserWithHash(user, PasswordHash.of(PASSWORD, 4));
  }

  /** With all that API Gateway tells of a request, in its payload format 2.0. */
  private static String event(String token, String body, int round) {
    Map<String, Object> headers = new HashMap<>();
    headers.put("authorization", "Bearer " + token);
    headers.put("content-type", "application/json");
    if (round % 2 == 1) {
      headers.put("idempotency-key", EMAIL);
    }
    return Json.write(
        Map.of(
            "version",
            "2.0",
            "routeKey",
            "POST /rehearsal",
            "headers",
            headers,
            "requestContext",
            Map.of(
                "http",
                Map.of("method", "POST", "sourceIp", "192.0.2.1"),
                "requestId",
                "rehearsal",
                "timeEpoch",
                0),
            "body",
            body,
            "isBase64Encoded",
            false));
  }
}
