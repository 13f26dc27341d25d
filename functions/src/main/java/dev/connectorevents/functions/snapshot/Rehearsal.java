package dev.connectorevents.functions.snapshot;

import com.amazonaws.services.lambda.runtime.LambdaRuntime;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.functions.lambda.LogLine;
import dev.connectorevents.functions.wiring.AwsClients;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.user.UserWithHash;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;

/**
 * Runs made-up calls before Lambda takes a function's snapshot (SnapStart): so the snapshot has
 * already loaded and compiled what real requests need.
 *
 * <p>A second handler of the function serves them. Its calls to AWS are marshalled and signed, and
 * then answered from memory; some rounds also read over the network. The first handler, which
 * Lambda restores, takes no part: so the snapshot holds no connection, credential, key, user or
 * time.
 *
 * @see <a href="https://docs.aws.amazon.com/lambda/latest/dg/snapstart-best-practices.html">Best
 *     practices for SnapStart</a>
 */
public final class Rehearsal implements Resource {

  /** The system property in which the runtime passes a request's trace to the SDK. */
  private static final String TRACE = "com.amazonaws.xray.traceHeader";

  private final Map<String, String> environment;
  private final Function<Wiring, RequestStreamHandler> function;
  private final Supplier<RehearsalScript> script;
  private final Runnable onRestore;
  private final Clock clock;
  private final Consumer<Duration> waiting;

  /**
   * @param environment the function's variables
   * @param function makes the second handler
   * @param script called only for a rehearsal, which most cold starts do not need
   * @param onRestore runs after each restore, before the first request, which waits for it
   * @param waiting waits for the given time
   */
  Rehearsal(
      Map<String, String> environment,
      Function<Wiring, RequestStreamHandler> function,
      Supplier<RehearsalScript> script,
      Runnable onRestore,
      Clock clock,
      Consumer<Duration> waiting) {
    this.environment = Map.copyOf(environment);
    this.function = function;
    this.script = script;
    this.onRestore = onRestore;
    this.clock = clock;
    this.waiting = waiting;
  }

  /**
   * The rehearsal of a function, registered if Lambda is going to take a snapshot. The function
   * must keep it: CRaC's registry has only weak references.
   *
   * @param wiring of the function that Lambda restores
   * @param onRestore runs after each restore, before the first call, which waits for it
   */
  public static Rehearsal registered(
      Map<String, String> environment,
      Wiring wiring,
      Function<Wiring, RequestStreamHandler> function,
      Supplier<RehearsalScript> script,
      Runnable onRestore) {
    Rehearsal rehearsal =
        new Rehearsal(environment, function, script, onRestore, wiring.clock(), wiring.waiting());
    rehearsal.register(Core::getGlobalContext);
    return rehearsal;
  }

  /** The same rehearsal with the time of another clock, and nothing to run after a restore. */
  Rehearsal at(Clock other) {
    return new Rehearsal(environment, function, script, () -> {}, other, waiting);
  }

  /** Registers the rehearsal if Lambda is going to take a snapshot. */
  void register(Supplier<Context<Resource>> runtime) {
    // The runtime checks the same. Registration would cost any other cold start 25 ms.
    if ("snap-start".equals(environment.get("AWS_LAMBDA_INITIALIZATION_TYPE"))) {
      runtime.get().register(this);
    }
  }

  /** An exception makes the publication of the version fail. */
  @Override
  public void beforeCheckpoint(Context<? extends Resource> context) {
    try {
      run();
    } catch (RuntimeException e) {
      // The runtime reports that there was an exception, but not which one.
      String why = e instanceof DependencyUnavailableException ? LogLine.causes(e) : e.toString();
      LambdaRuntime.getLogger().log(LogLine.of(Map.of("error", why)));
      throw e;
    }
  }

  @Override
  public void afterRestore(Context<? extends Resource> context) {
    onRestore.run();
  }

  /**
   * Runs the rounds with a second handler of the function.
   *
   * @throws IllegalStateException if a request does not succeed
   * @throws DependencyUnavailableException if the tables cannot be read for {@link
   *     RehearsalRounds#RETRY_PERIOD}
   */
  private void run() {
    Map<String, String> variables = new HashMap<>(environment);
    // The cheapest cost: every cost runs the same code.
    variables.computeIfPresent("BCRYPT_COST", (name, cost) -> "4");
    System.setProperty(TRACE, "Root=1-00000000-000000000000000000000000;Sampled=0");
    RehearsalScript rehearsed = script.get();
    UserWithHash known = rehearsed.user();
    try (AwsClients canned =
            AwsClients.over(
                variables, new CannedAws(known, variables.getOrDefault("EVENTS_TABLE", "")));
        AwsClients real = AwsClients.discardable(variables)) {
      Wiring wiring = new Wiring(variables, canned);
      String token =
          wiring
              .tokens()
              .issue(known.user(), wiring.clock().instant(), Duration.ofHours(1))
              .value();
      Wiring overTheNetwork = new Wiring(variables, real);
      new RehearsalRounds(
              function.apply(wiring), () -> rehearsed.read().accept(overTheNetwork), clock, waiting)
          .run(rehearsed, token);
    } finally {
      System.clearProperty(TRACE);
    }
  }
}
