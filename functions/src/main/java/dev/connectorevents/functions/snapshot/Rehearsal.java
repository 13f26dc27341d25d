package dev.connectorevents.functions.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.LambdaRuntime;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.functions.lambda.ApiGatewayFunction;
import dev.connectorevents.functions.lambda.LogLine;
import dev.connectorevents.functions.wiring.AwsClients;
import dev.connectorevents.functions.wiring.Sleep;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.http.Handler;
import dev.connectorevents.user.User;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;

/**
 * Runs made-up requests before Lambda takes a function's snapshot (SnapStart): so the snapshot has
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

  // Keeps the rehearsals reachable: CRaC's registry has only weak references.
  private static final List<Rehearsal> REGISTERED = new CopyOnWriteArrayList<>();

  /** The system property in which the runtime passes a request's trace to the SDK. */
  private static final String TRACE = "com.amazonaws.xray.traceHeader";

  // Reads from time to time: otherwise the JVM would compile for the canned transport alone.
  private static final int ROUNDS_PER_READ = 100;

  /**
   * How long after its start a rehearsal still begins a round. The pauses between failed reads do
   * not count: they may take {@link RehearsalReads#RETRY_PERIOD}, and Lambda allows 130 s for both.
   */
  static final Duration TIME = Duration.ofSeconds(45);

  private final Map<String, String> environment;
  private final Function<Wiring, Handler> route;
  private final Supplier<RehearsedRequest> request;
  private final Clock clock;
  private final Consumer<Duration> waiting;
  private Runnable onRestore = () -> {};

  /**
   * @param environment the function's variables
   * @param route makes the handler of the second instance
   * @param request called only for a rehearsal, which most cold starts do not need
   */
  public Rehearsal(
      Map<String, String> environment,
      Function<Wiring, Handler> route,
      Supplier<RehearsedRequest> request) {
    this(environment, route, request, Clock.systemUTC(), Sleep::of);
  }

  /**
   * @param waiting waits for the given time
   */
  Rehearsal(
      Map<String, String> environment,
      Function<Wiring, Handler> route,
      Supplier<RehearsedRequest> request,
      Clock clock,
      Consumer<Duration> waiting) {
    this.environment = Map.copyOf(environment);
    this.route = route;
    this.request = request;
    this.clock = clock;
    this.waiting = waiting;
  }

  /** The same rehearsal with the time of another clock, and nothing to run after a restore. */
  Rehearsal at(Clock other) {
    return new Rehearsal(environment, route, request, other, waiting);
  }

  /** Sets what runs after each restore, before the first request, which waits for it. */
  public Rehearsal onRestore(Runnable work) {
    onRestore = work;
    return this;
  }

  /** Registers the rehearsal if Lambda is going to take a snapshot. */
  public void register() {
    register(Core::getGlobalContext);
  }

  void register(Supplier<Context<Resource>> runtime) {
    // The runtime checks the same. Registration would cost any other cold start 25 ms.
    if ("snap-start".equals(environment.get("AWS_LAMBDA_INITIALIZATION_TYPE"))) {
      REGISTERED.add(this);
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
   * Runs all rounds, or as many as fit into {@link #TIME}.
   *
   * @throws IllegalStateException if a request does not succeed
   * @throws DependencyUnavailableException if the users cannot be read for {@link
   *     RehearsalReads#RETRY_PERIOD}
   */
  private void run() {
    Map<String, String> variables = new HashMap<>(environment);
    // The cheapest cost: every cost runs the same code.
    variables.computeIfPresent("BCRYPT_COST", (name, cost) -> "4");
    System.setProperty(TRACE, "Root=1-00000000-000000000000000000000000;Sampled=0");
    RehearsedRequest rehearsed = request.get();
    UserWithHash known = rehearsed.user();
    try (AwsClients canned =
            AwsClients.over(
                variables, new CannedAws(known, variables.getOrDefault("EVENTS_TABLE", "")));
        AwsClients real = AwsClients.discardable(variables)) {
      runRounds(
          rehearsed,
          known.user(),
          new Wiring(variables, canned),
          new RehearsalReads(new Wiring(variables, real).users(), clock, waiting));
    } finally {
      System.clearProperty(TRACE);
    }
  }

  private void runRounds(
      RehearsedRequest rehearsed, User user, Wiring canned, RehearsalReads reads) {
    ApiGatewayFunction second = new ApiGatewayFunction(route.apply(canned));
    String token =
        canned.tokens().issue(user, canned.clock().instant(), Duration.ofHours(1)).value();
    Instant end = clock.instant().plus(TIME);
    for (int round = 0; round < rehearsed.rounds() && clock.instant().isBefore(end); round++) {
      for (String event : rehearsed.events(token)) {
        send(second, event);
      }
      if (round % ROUNDS_PER_READ == 0) {
        end = end.plus(reads.read(user.email()));
      }
    }
  }

  private static void send(ApiGatewayFunction function, String event) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try {
      function.handleRequest(
          new ByteArrayInputStream(event.getBytes(UTF_8)), output, new RehearsalContext());
    } catch (IOException e) {
      throw new IllegalStateException("the rehearsal's event cannot be read", e);
    }
    String answer = output.toString(UTF_8);
    if (!answer.contains("\"statusCode\":20")) {
      throw new IllegalStateException("a rehearsed request got the answer " + answer);
    }
  }
}
