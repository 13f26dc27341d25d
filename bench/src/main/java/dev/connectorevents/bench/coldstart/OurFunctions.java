package dev.connectorevents.bench.coldstart;

import dev.connectorevents.local.runtime.LambdaRuntime.Initialization;
import dev.connectorevents.local.template.FunctionDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The functions of the template as candidates, out of the zip. */
final class OurFunctions {

  static final String CREATE_EVENT = "createevent";
  static final String LOGIN = "login";
  static final String RESTORED = ", from a snapshot";

  /** After a name: the JVM is set up as before a snapshot, but there is none. */
  static final String PROVISIONED = ", provisioned";

  /**
   * Those whose warm requests are measured; of the others, a login has a measurement of its own.
   */
  private static final Set<String> WARM = Set.of(CREATE_EVENT, "me");

  private final Packages packages;
  private final List<FunctionDefinition> functions;
  private final EventFiles events;

  OurFunctions(Packages packages, List<FunctionDefinition> functions, EventFiles events) {
    this.packages = packages;
    this.functions = List.copyOf(functions);
    this.events = events;
  }

  /** Each of them; those of the API once more, as they are deployed: from a snapshot. */
  List<Candidate> all() throws IOException {
    List<Candidate> all = new ArrayList<>();
    for (FunctionDefinition function : functions) {
      all.add(onDemand(function));
    }
    all.add(
        candidate(
            CREATE_EVENT + PROVISIONED,
            definition(CREATE_EVENT),
            Initialization.PROVISIONED_CONCURRENCY,
            false));
    for (FunctionDefinition function : functions) {
      if (!function.routes().isEmpty()) {
        all.add(restored(function));
      }
    }
    return all;
  }

  /** As it is deployed. */
  Candidate login() throws IOException {
    return restored(definition(LOGIN));
  }

  FunctionDefinition definition(String name) {
    return functions.stream().filter(each -> name(each).equals(name)).findFirst().orElseThrow();
  }

  private Candidate onDemand(FunctionDefinition function) throws IOException {
    String name = name(function);
    return candidate(name, function, Initialization.ON_DEMAND, WARM.contains(name));
  }

  private Candidate restored(FunctionDefinition function) throws IOException {
    String name = name(function);
    return candidate(
        name + RESTORED, function, Initialization.SNAP_START, name.equals(CREATE_EVENT));
  }

  private Candidate candidate(
      String name, FunctionDefinition function, Initialization initialization, boolean isWarm)
      throws IOException {
    return new Candidate(
        name,
        function,
        packages.ours(),
        initialization,
        List.of(),
        events.of(name(function)),
        isWarm,
        packages.zipBytes());
  }

  /** By its package, which is named for what it does. */
  private static String name(FunctionDefinition function) {
    String[] names = function.handler().split("\\.", -1);
    return names[names.length - 2];
  }
}
