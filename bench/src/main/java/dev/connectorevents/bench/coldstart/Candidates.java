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

/** The functions to measure: the functions of the template, and peers to compare them with. */
record Candidates(
    Deployments deployments, List<FunctionDefinition> functions, BenchmarkEvents events) {

  /**
   * A function to measure: a row of the report's first table.
   *
   * @param event the event that the bench sends again and again
   * @param turn the number of warm requests in one turn; 0 if the bench measures no warm requests
   * @param waits how long the stub of AWS waits before each answer, while the bench measures starts
   */
  record Candidate(
      String name,
      FunctionDefinition function,
      Deployment deployment,
      Initialization initialization,
      String event,
      int turn,
      Waits waits) {

    boolean isRestored() {
      return initialization == SNAP_START;
    }

    Candidate after(Waits other) {
      return new Candidate(name, function, deployment, initialization, event, turn, other);
    }

    Candidate from(Deployment other) {
      return new Candidate(name + OTHER_BUILD, function, other, initialization, event, turn, waits);
    }

    Candidate sending(String other) {
      return new Candidate(name, function, deployment, initialization, other, turn, waits);
    }
  }

  static final String FLOOR = "hello, event object";
  static final String PLAIN_URL_CONNECTION = "plain SDK, event object, url-connection";
  static final String BARE_PUT_ITEM = "bare PutItem, CRT";
  static final String BARE_BCRYPT = "bare bcrypt, provisioned";
  static final String CREATE_EVENT = "createevent";
  static final String LOGIN = "login";
  private static final String NUMBER_EVENTS = "numberevents";

  // Endings of a candidate's name: it is restored from a snapshot, or it has the same JVM options
  // but no snapshot.
  static final String RESTORED = ", from a snapshot";
  static final String PROVISIONED = ", provisioned";

  /**
   * The ending of a candidate's name if the stub of AWS waits as in {@link Waits#USUAL}, behind a
   * {@link SlowNetwork}.
   */
  static final String WITH_WAITS = ", AWS with waits";

  /**
   * The ending of a candidate's name if the function comes from the other build, which {@code
   * bench/run --beside} names.
   */
  static final String OTHER_BUILD = ", other build";

  /**
   * The number of requests in a turn: enough to make the CPU caches of the previous turn
   * irrelevant.
   */
  static final int TURN = 500;

  private static final String BCRYPT_COST = "BCRYPT_COST";

  /** The candidates for the report's first table, in the order of its rows. */
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
      if (function.rate().isPresent()) {
        continue; // nobody waits for its start, and it waits for the feed
      }
      all.addAll(ours(function, "", ON_DEMAND, name(function).equals(CREATE_EVENT) ? TURN : 0));
    }
    all.addAll(ours(definition(CREATE_EVENT), PROVISIONED, PROVISIONED_CONCURRENCY, 0));
    for (FunctionDefinition function : functions) {
      if (!function.routes().isEmpty() || name(function).equals(NUMBER_EVENTS)) {
        // A login needs no long turn: bcrypt takes so long that the CPU's caches do not matter.
        int turn = name(function).equals(LOGIN) ? 1 : TURN;
        all.addAll(ours(function, RESTORED, SNAP_START, turn));
      }
    }
    for (Candidate each : ours(definition(CREATE_EVENT), RESTORED + WITH_WAITS, SNAP_START, 0)) {
      all.add(each.after(Waits.USUAL));
    }
    return all;
  }

  /**
   * The function in this build. If the caller named another build that has the function, also the
   * function in that build.
   */
  private List<Candidate> ours(
      FunctionDefinition function, String suffix, Initialization start, int turn)
      throws IOException {
    String name = name(function) + suffix;
    Candidate ours =
        new Candidate(
            name,
            function,
            deployments.ours,
            start,
            events.of(function, name(function)),
            turn,
            Waits.NONE);
    return deployments.other.isPresent() && deployments.other.get().has(function)
        ? List.of(ours, ours.from(deployments.other.get()))
        : List.of(ours);
  }

  private Candidate ours(String name, Initialization start) throws IOException {
    return ours(definition(name), start == SNAP_START ? RESTORED : "", start, 0).getFirst();
  }

  /**
   * The {@code createbatch} function, restored from a snapshot. Its batch has many copies of the
   * event of {@link #CREATE_EVENT}, each with a key of its own.
   */
  Candidate batch() throws IOException {
    return ours("createbatch", SNAP_START).sending(events.batch());
  }

  /** The {@code findmissing} function, restored from a snapshot. */
  Candidate findMissing() throws IOException {
    return ours("findmissing", SNAP_START);
  }

  /** The {@code createevent} function, restored from a snapshot. */
  Candidate createEvent() throws IOException {
    return ours(CREATE_EVENT, SNAP_START);
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
            handler.getName(),
            Map.of("EVENTS_TABLE", "events", BCRYPT_COST, bcryptCost()),
            compared.timeout(),
            compared.memoryMb(),
            Optional.empty(),
            List.of(),
            List.of(),
            Optional.empty());
    String event = events.of(compared, CREATE_EVENT);
    return new Candidate(name, function, deployment, start, event, turn, Waits.NONE);
  }

  Candidate login() throws IOException {
    return ours(LOGIN, ON_DEMAND);
  }

  Candidate consumerLogin() throws IOException {
    return login().sending(events.consumerLogin());
  }

  /** The bcrypt cost that the template sets for logins. */
  String bcryptCost() {
    return definition(LOGIN).environment().getOrDefault(BCRYPT_COST, "");
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
