package dev.connectorevents.functions.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.connectorevents.Promise;
import dev.connectorevents.functions.numberevents.NumberEventsFunction;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.http.Handler;
import dev.connectorevents.http.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A function's rehearsal before its SnapStart snapshot, and its work after a restore. */
@ResourceLock(Resources.SYSTEM_OUT)
class RehearsalTest {

  private static final Pattern HANDLER = Pattern.compile("Handler: (\\S+)");
  private static final Response SUCCESS = Response.json(200, Map.of());
  private static final Response UNAVAILABLE = Response.json(503, Map.of());

  @AutoClose private final RehearsalWorld world;

  RehearsalTest() throws IOException {
    world = new RehearsalWorld();
  }

  /** The template's functions that rehearse requests of the API. */
  private static List<Class<?>> functions() throws Exception {
    String template = Files.readString(Path.of("../template.yaml"));
    List<Class<?>> functions = new ArrayList<>();
    for (MatchResult handler : HANDLER.matcher(template).results().toList()) {
      Class<?> function = Class.forName(handler.group(1));
      if (RehearsedFunction.class.isAssignableFrom(function)) {
        functions.add(function);
      }
    }
    return functions;
  }

  /**
   * Runs one round only, whose read takes all of {@link RehearsalRounds#TIME}. Further rounds would
   * make the same calls to AWS.
   */
  @ParameterizedTest
  @MethodSource("functions")
  @Promise("and is never in a snapshot, a log or an answer.")
  void a_function_reads_a_user_reads_no_secret_and_stores_nothing(
      Class<? extends RehearsedFunction> function) throws Exception {
    world.letReadsTake(RehearsalRounds.TIME);
    RehearsedFunction started = function.getConstructor(Map.class).newInstance(world.environment());
    Rehearsal rehearsal = started.rehearsal().at(world.clock);

    rehearsal.beforeCheckpoint(Core.getGlobalContext());
    rehearsal.afterRestore(Core.getGlobalContext());

    assertThat(world.calls).containsExactly("DynamoDB_20120810.GetItem");
  }

  /** As the functions above. */
  @Test
  void the_function_that_numbers_events_reads_the_end_of_the_feed_and_stores_nothing()
      throws Exception {
    world.letReadsTake(RehearsalRounds.TIME);

    world
        .rehearsalOf(NumberEventsFunction::new, RehearsalScript::numberEvents)
        .beforeCheckpoint(Core.getGlobalContext());

    assertThat(world.calls).containsExactly("DynamoDB_20120810.Query", "DynamoDB_20120810.Query");
  }

  @Test
  void an_unsuccessful_answer_fails_the_snapshot_at_once() {
    assertThatIllegalStateException()
        .isThrownBy(
            () -> world.rehearsal(request -> UNAVAILABLE).beforeCheckpoint(Core.getGlobalContext()))
        .withMessageContaining("503");
    assertThat(world.calls).isEmpty();
    assertThat(world.pauses).isEmpty();
  }

  @Test
  void the_log_has_the_causes_of_a_failed_read_or_the_defect() {
    String defect = logged(world.rehearsal(request -> UNAVAILABLE));
    world.refuseReads(0, Integer.MAX_VALUE);
    String failedRead = logged(world.rehearsal(request -> SUCCESS));

    assertThat(defect)
        .startsWith("{\"error\":\"java.lang.IllegalStateException: a rehearsed request got");
    assertThat(failedRead)
        .startsWith("{\"error\":\"DependencyUnavailableException: GetItem on users failed")
        .contains(" <- DynamoDbException: ");
  }

  /**
   * Runs a rehearsal that fails, and returns what it prints. Outside Lambda's runtime, Lambda's
   * logger writes to the console.
   */
  private static String logged(Rehearsal failing) {
    PrintStream console = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      assertThatThrownBy(() -> failing.beforeCheckpoint(Core.getGlobalContext()))
          .isInstanceOf(RuntimeException.class);
    } finally {
      System.setOut(console);
    }
    return printed.toString(UTF_8);
  }

  @ParameterizedTest
  @CsvSource({"snap-start, 1", "on-demand, 0"})
  void only_a_function_with_snapstart_runs_its_work_after_a_restore(String initialization, int runs)
      throws Exception {
    AtomicInteger restores = new AtomicInteger();
    Registered registered = new Registered();
    Rehearsal rehearsal =
        new Rehearsal(
            Map.of("AWS_LAMBDA_INITIALIZATION_TYPE", initialization),
            wiring -> (input, output, context) -> {},
            RehearsalScript::withoutBody,
            restores::incrementAndGet,
            world.clock,
            duration -> {});

    rehearsal.register(() -> registered);
    for (Resource resource : registered.resources) {
      resource.afterRestore(registered);
    }

    assertThat(restores).hasValue(runs);
  }

  @Test
  void a_rehearsal_hashes_at_the_lowest_cost_of_bcrypt() {
    List<Integer> costs = new ArrayList<>();
    Function<Wiring, Handler> route =
        wiring -> {
          costs.add(wiring.bcryptCost());
          return request -> SUCCESS;
        };

    world.rehearsalOf(route).beforeCheckpoint(Core.getGlobalContext());

    assertThat(costs).containsExactly(4);
  }

  /** Keeps the hooks that a function registers with the runtime. */
  private static final class Registered extends Context<Resource> {

    private final List<Resource> resources = new ArrayList<>();

    @Override
    public void register(Resource resource) {
      resources.add(resource);
    }

    @Override
    public void beforeCheckpoint(Context<? extends Resource> context) {}

    @Override
    public void afterRestore(Context<? extends Resource> context) {}
  }
}
