package dev.connectorevents.bench;

import static dev.connectorevents.emulator.runtime.LambdaRuntime.Initialization.ON_DEMAND;
import static dev.connectorevents.emulator.runtime.LambdaRuntime.Initialization.SNAP_START;

import dev.connectorevents.bench.floor.Floor;
import dev.connectorevents.emulator.runtime.LambdaRuntime;
import dev.connectorevents.emulator.runtime.LambdaRuntime.Initialization;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The functions to measure: the functions of the template, and {@link Floor}.
 *
 * @param other another build of the functions, to compare with
 */
record Candidates(
    List<FunctionDefinition> functions,
    BenchmarkEvents events,
    Deployment ours,
    Optional<Deployment> other) {

  /**
   * A function to measure: a row of the report's first table.
   *
   * @param event the event that the bench sends again and again
   */
  record Candidate(
      String name,
      FunctionDefinition function,
      LambdaRuntime runtime,
      Initialization initialization,
      String event) {

    boolean isRestored() {
      return initialization == SNAP_START;
    }

    boolean isLogin() {
      return Candidates.name(function).equals(LOGIN);
    }
  }

  static final String FLOOR = "floor";

  /** What the name of a candidate ends with if it is restored from a snapshot. */
  static final String RESTORED = ", from a snapshot";

  /**
   * The ending of a candidate's name if the function comes from the other build, which {@code
   * bench/run --beside} names.
   */
  static final String OTHER_BUILD = ", other build";

  private static final String CREATE_EVENT = "createevent";
  private static final String LOGIN = "login";
  private static final String NUMBER_EVENTS = "numberevents";

  /** All candidates, in the order of their rows. */
  List<Candidate> all(LambdaRuntime floor) throws IOException {
    List<Candidate> all = new ArrayList<>();
    all.add(floor(FLOOR, floor, ON_DEMAND));
    for (FunctionDefinition function : functions) {
      if (function.rate().isEmpty()) { // nobody waits for a start by a schedule
        all.addAll(builds(function, name(function), ON_DEMAND));
      }
    }
    all.add(floor(FLOOR + RESTORED, floor, SNAP_START));
    for (FunctionDefinition function : functions) {
      if (!function.routes().isEmpty() || name(function).equals(NUMBER_EVENTS)) {
        all.addAll(builds(function, name(function) + RESTORED, SNAP_START));
      }
    }
    return all;
  }

  /** The floor, with the memory, the time-out and the event of {@link #CREATE_EVENT}. */
  private Candidate floor(String name, LambdaRuntime floor, Initialization start)
      throws IOException {
    FunctionDefinition compared = definition(CREATE_EVENT);
    FunctionDefinition function =
        new FunctionDefinition(
            FLOOR,
            Floor.class.getName(),
            Map.of(),
            compared.timeout(),
            compared.memoryMb(),
            Optional.empty(),
            List.of(),
            List.of(),
            Optional.empty());
    return new Candidate(name, function, floor, start, events.of(compared, CREATE_EVENT));
  }

  /** The function in this build and, if there is another build that has it, in that one. */
  private List<Candidate> builds(FunctionDefinition function, String name, Initialization start)
      throws IOException {
    String event = events.of(function, name(function));
    List<Candidate> builds = new ArrayList<>();
    builds.add(new Candidate(name, function, ours.runtime(), start, event));
    if (other.isPresent() && other.get().has(function)) {
      builds.add(new Candidate(name + OTHER_BUILD, function, other.get().runtime(), start, event));
    }
    return builds;
  }

  /** The login of a connector. */
  Candidate login() throws IOException {
    return login(events.of(definition(LOGIN), LOGIN));
  }

  Candidate consumerLogin() throws IOException {
    return login(events.consumerLogin());
  }

  private Candidate login(String event) {
    return new Candidate(LOGIN, definition(LOGIN), ours.runtime(), ON_DEMAND, event);
  }

  /** The bcrypt cost that the template sets for logins. */
  String bcryptCost() {
    return definition(LOGIN).environment().getOrDefault("BCRYPT_COST", "");
  }

  private FunctionDefinition definition(String name) {
    return functions.stream().filter(each -> name(each).equals(name)).findFirst().orElseThrow();
  }

  /**
   * The name of the function's class in lower case, without the ending {@code Function}: for
   * example, {@code createevent}.
   */
  static String name(FunctionDefinition function) {
    return function.handler().replaceFirst(".*\\.(\\w+)Function", "$1").toLowerCase(Locale.ROOT);
  }
}
