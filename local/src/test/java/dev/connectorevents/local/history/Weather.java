package dev.connectorevents.local.history;

import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/** Decides which calls to AWS fail at the moment, and how. */
final class Weather {

  /** A storm is about some calls only: so others meet half of a failure. */
  private static final List<String> CALLS =
      List.of(
          "",
          "GetItem UsersTable",
          "UpdateItem UsersTable",
          "GetSecretValue",
          "Secret",
          "PutItem",
          "TransactWriteItems",
          "GetItem EventsTable",
          "BatchGetItem",
          "Query",
          "LoginAttemptsTable");

  private static final List<EnumSet<Fault>> FAULTS =
      List.of(
          EnumSet.complementOf(EnumSet.of(Fault.NONE, Fault.SILENCE, Fault.LATE)),
          EnumSet.of(Fault.THROTTLED, Fault.SLOW),
          EnumSet.of(Fault.LOST_ANSWER, Fault.CUT_ANSWER, Fault.GARBLED_ANSWER),
          EnumSet.of(Fault.LOST_REQUEST, Fault.INTERNAL_ERROR, Fault.UNAVAILABLE),
          EnumSet.of(Fault.EXPIRED_CREDENTIALS),
          EnumSet.of(Fault.ACCESS_DENIED),
          EnumSet.of(Fault.SILENCE, Fault.LATE));

  private static final Storm CALM = new Storm("nothing", List.of(Fault.NONE), 0);

  private final RandomGenerator random;
  private Storm storm = CALM;
  private boolean isOver;

  private record Storm(String calls, List<Fault> faults, double share) {}

  Weather(long seed) {
    random = new Random(seed);
  }

  /** Begins another storm, or none. */
  synchronized void change(RandomGenerator plan) {
    String calls = CALLS.get(plan.nextInt(CALLS.size()));
    List<Fault> faults = List.copyOf(FAULTS.get(plan.nextInt(FAULTS.size())));
    double share = List.of(0.1, 0.4, 0.8, 1.0).get(plan.nextInt(4));
    // Each of these faults stops its worker for a second or more, in which it finds nothing.
    boolean isSlow = faults.contains(Fault.SILENCE) || faults.contains(Fault.THROTTLED);
    storm =
        isOver || plan.nextInt(3) == 0
            ? CALM
            : new Storm(calls, faults, isSlow ? share / 10 : share);
  }

  /** Calms down for good. */
  synchronized void end() {
    isOver = true;
    storm = CALM;
  }

  synchronized Fault fault(String call) {
    return call.contains(storm.calls()) && random.nextDouble() < storm.share()
        ? storm.faults().get(random.nextInt(storm.faults().size()))
        : Fault.NONE;
  }
}
