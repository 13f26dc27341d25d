package dev.connectorevents.bench.coldstart;

import static dev.connectorevents.emulator.runtime.LambdaRuntime.Initialization.ON_DEMAND;
import static dev.connectorevents.emulator.runtime.LambdaRuntime.Initialization.PROVISIONED_CONCURRENCY;
import static dev.connectorevents.emulator.runtime.LambdaRuntime.Initialization.SNAP_START;

import dev.connectorevents.bench.coldstart.Deployments.Deployment;
import dev.connectorevents.bench.peers.BareBcrypt;
import dev.connectorevents.bench.peers.BarePutItem;
import dev.connectorevents.bench.peers.HelloEvent;
import dev.connectorevents.bench.peers.HelloStream;
import dev.connectorevents.bench.peers.PlainSdk;
import dev.connectorevents.emulator.runtime.LambdaRuntime.Initialization;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The functions to measure: those of the template, and peers to compare them with. */
record Candidates(
    Deployments deployments, List<FunctionDefinition> functions, BenchmarkEvents events) {

  /**
   * A function to measure: a row of the table.
   *
   * @param event the event that the bench sends again and again
   * @param turn the warm requests in one turn; 0 if the bench measures no warm requests
   */
  record Candidate(
      String name,
      FunctionDefinition function,
      Deployment deployment,
      Initialization initialization,
      String event,
      int turn) {

    boolean isRestored() {
      return initialization == SNAP_START;
    }
  }

  static final String FLOOR = "hello, event object";
  static final String PLAIN_URL_CONNECTION = "plain SDK, event object, url-connection";
  static final String BARE_PUT_ITEM = "bare PutItem, CRT";
  static final String BARE_BCRYPT = "bare bcrypt, provisioned";
  static final String CREATE_EVENT = "createevent";
  static final String LOGIN = "login";

  // Endings of names: restored from a snapshot, or with the same JVM options but no snapshot.
  static final String RESTORED = ", from a snapshot";
  static final String PROVISIONED = ", provisioned";

  /** Requests in a turn: enough to make the CPU caches of the previous turn irrelevant. */
  static final int TURN = 500;

  /**
   * The size of a turn, for each of our functions whose warm requests are measured. A login has
   * turns of 1: bcrypt takes so long that CPU caches do not matter.
   */
  private static final Map<String, Integer> TURNS =
      Map.of(CREATE_EVENT, TURN, CREATE_EVENT + RESTORED, TURN, "me", TURN, LOGIN + RESTORED, 1);

  private static final String BCRYPT_COST = "BCRYPT_COST";

  /** All candidates, in the order of the table. */
  List<Candidate> all() throws IOException {
    List<Candidate> all = new ArrayList<>();
    all.add(peer(FLOOR, HelloEvent.class, deployments.events()));
    all.add(peer("hello, raw stream", HelloStream.class, deployments.events()));
    all.add(peer(PLAIN_URL_CONNECTION, PlainSdk.UrlConnection.class, deployments.urlConnection()));
    all.add(peer("plain SDK, event object, CRT", PlainSdk.Crt.class, deployments.crt()));
    all.add(peer(BARE_PUT_ITEM, BarePutItem.class, deployments.peersOnOurs()));
    all.add(provisioned(BARE_PUT_ITEM + PROVISIONED, BarePutItem.class, TURN));
    all.add(provisioned(BARE_BCRYPT, BareBcrypt.class, 1));
    for (FunctionDefinition function : functions) {
      all.add(ours(function, "", ON_DEMAND));
    }
    all.add(ours(definition(CREATE_EVENT), PROVISIONED, PROVISIONED_CONCURRENCY));
    for (FunctionDefinition function : functions) {
      if (!function.routes().isEmpty()) {
        all.add(ours(function, RESTORED, SNAP_START));
      }
    }
    return all;
  }

  private Candidate ours(FunctionDefinition function, String suffix, Initialization start)
      throws IOException {
    String name = name(function) + suffix;
    String event = events.of(function, name(function));
    int turn = TURNS.getOrDefault(name, 0);
    return new Candidate(name, function, deployments.ours, start, event, turn);
  }

  /** The batch function from a snapshot. Its batch repeats the event of {@link #CREATE_EVENT}. */
  Candidate batch() throws IOException {
    FunctionDefinition function = definition("createbatch");
    return new Candidate(
        "createbatch" + RESTORED, function, deployments.ours, SNAP_START, events.batch(), 0);
  }

  /** The {@code findmissing} function, restored from a snapshot. */
  Candidate findMissing() throws IOException {
    return ours(definition("findmissing"), RESTORED, SNAP_START);
  }

  /** The {@code createevent} function, restored from a snapshot. */
  Candidate createEvent() throws IOException {
    return ours(definition(CREATE_EVENT), RESTORED, SNAP_START);
  }

  private Candidate peer(String name, Class<?> handler, Deployment deployment) throws IOException {
    return peer(name, handler, deployment, ON_DEMAND, TURN);
  }

  /** A peer without a snapshot, but with the JVM options that SnapStart gives our functions. */
  private Candidate provisioned(String name, Class<?> handler, int turn) throws IOException {
    return peer(name, handler, deployments.peersOnOurs(), PROVISIONED_CONCURRENCY, turn);
  }

  /** A peer with the memory, the time-out and the event of {@link #CREATE_EVENT}. */
  private Candidate peer(
      String name, Class<?> handler, Deployment deployment, Initialization start, int turn)
      throws IOException {
    FunctionDefinition compared = definition(CREATE_EVENT);
    FunctionDefinition function =
        new FunctionDefinition(
            name,
            "peer",
            handler.getName(),
            Map.of("EVENTS_TABLE", "events", BCRYPT_COST, bcryptCost()),
            compared.timeout(),
            compared.memoryMb(),
            Optional.empty(),
            List.of(),
            List.of());
    String event = events.of(compared, CREATE_EVENT);
    return new Candidate(name, function, deployment, start, event, turn);
  }

  Candidate login() throws IOException {
    return ours(definition(LOGIN), "", ON_DEMAND);
  }

  Candidate consumerLogin() throws IOException {
    return new Candidate(
        LOGIN, definition(LOGIN), deployments.ours, ON_DEMAND, events.consumerLogin(), 0);
  }

  /** The bcrypt cost that the template sets for logins. */
  String bcryptCost() {
    return definition(LOGIN).environment().getOrDefault(BCRYPT_COST, "");
  }

  private FunctionDefinition definition(String name) {
    return functions.stream().filter(each -> name(each).equals(name)).findFirst().orElseThrow();
  }

  /** The name from the function's class, such as {@code createevent}. */
  static String name(FunctionDefinition function) {
    return function.handler().replaceFirst(".*\\.(\\w+)Function", "$1").toLowerCase(Locale.ROOT);
  }
}
