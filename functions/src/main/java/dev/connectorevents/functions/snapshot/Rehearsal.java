package dev.connectorevents.functions.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.LambdaRuntime;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.functions.lambda.ApiGatewayFunction;
import dev.connectorevents.functions.lambda.LogLine;
import dev.connectorevents.functions.wiring.AwsClients;
import dev.connectorevents.functions.wiring.Sleep;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserWithHash;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;

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
public final class Rehearsal implements Resource {

  // crac's registry holds its entries weakly.
  private static final List<Rehearsal> REGISTERED = new CopyOnWriteArrayList<>();

  /** Where the runtime tells the SDK of a request's trace. */
  private static final String TRACE = "com.amazonaws.xray.traceHeader";

  // By then the JVM has compiled what a request runs through: what it has not compiled before the
  // snapshot, every instance compiles once more, while requests wait.
  private static final int ROUNDS = 2_000;

  // Not one read at the end: the JVM would compile for the canned transport alone.
  private static final int ROUNDS_PER_READ = 100;

  private final Map<String, String> environment;
  private final Function<Wiring, ApiGatewayFunction> function;
  private final Supplier<RehearsedRequest> request;
  private final Clock clock;
  private final Consumer<Duration> waiting;

  /**
   * @param environment the function's variables
   * @param function makes the second one
   * @param request made only when it is needed: most cold starts rehearse nothing
   */
  public Rehearsal(
      Map<String, String> environment,
      Function<Wiring, ApiGatewayFunction> function,
      Supplier<RehearsedRequest> request) {
    this(environment, function, request, Clock.systemUTC(), Sleep::of);
  }

  /**
   * @param waiting waits for that long
   */
  Rehearsal(
      Map<String, String> environment,
      Function<Wiring, ApiGatewayFunction> function,
      Supplier<RehearsedRequest> request,
      Clock clock,
      Consumer<Duration> waiting) {
    this.environment = Map.copyOf(environment);
    this.function = function;
    this.request = request;
    this.clock = clock;
    this.waiting = waiting;
  }

  /** Has Lambda run it before the snapshot, if there is to be one. */
  public void beforeSnapshot() {
    // As the runtime does. To register costs any other cold start 25 ms.
    if ("snap-start".equals(environment.get("AWS_LAMBDA_INITIALIZATION_TYPE"))) {
      REGISTERED.add(this);
      Core.getGlobalContext().register(this);
    }
  }

  /** What this throws fails the version that is being published. */
  @Override
  public void beforeCheckpoint(Context<? extends Resource> context) {
    try {
      run();
    } catch (RuntimeException e) {
      // The runtime tells that there was an exception, not which.
      String why = e instanceof DependencyUnavailableException ? LogLine.causes(e) : e.toString();
      LambdaRuntime.getLogger().log(LogLine.of(Map.of("error", why)));
      throw e;
    }
  }

  @Override
  public void afterRestore(Context<? extends Resource> context) {
    // The first request opens what it needs.
  }

  /**
   * Rehearses.
   *
   * @throws IllegalStateException if a request is not answered as it should be
   * @throws DependencyUnavailableException if the users cannot be read for {@link
   *     RehearsalReads#PATIENCE}
   */
  private void run() {
    Map<String, String> variables = new HashMap<>(environment);
    // A password is checked by the same code at any cost.
    variables.computeIfPresent("BCRYPT_COST", (name, cost) -> "4");
    System.setProperty(TRACE, "Root=1-00000000-000000000000000000000000;Sampled=0");
    UserWithHash known = RehearsedRequest.user();
    try (AwsClients canned = AwsClients.over(variables, new CannedAws(known));
        AwsClients real = AwsClients.discardable(variables)) {
      run(
          known.user(),
          new Wiring(variables, canned),
          new RehearsalReads(new Wiring(variables, real).users(), clock, waiting));
    } finally {
      System.clearProperty(TRACE);
    }
  }

  private void run(User user, Wiring canned, RehearsalReads reads) {
    ApiGatewayFunction second = function.apply(canned);
    RehearsedRequest rehearsed = request.get();
    String token =
        canned.tokens().issue(user, canned.clock().instant(), Duration.ofHours(1)).value();
    for (int round = 0; round < ROUNDS; round++) {
      for (String event : rehearsed.events(token, round)) {
        request(second, event);
      }
      if (round % ROUNDS_PER_READ == 0) {
        reads.find(user.email());
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
}
