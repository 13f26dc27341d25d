package dev.connectorevents.acceptance.storm;

import dev.connectorevents.acceptance.service.AwsFault;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * Decides which calls to AWS fail at the moment, and how. During an outage some calls fail; between
 * outages none fails.
 */
final class Weather {

  /**
   * The calls that outages hit: each outage has one of these patterns, and hits the calls whose
   * names contain a match. The empty pattern hits all calls. The others hit only some, so that a
   * request can fail half-way. Lists are rarer than writes, so {@code Query} is there twice.
   */
  private static final List<String> CALLS =
      List.of(
          "",
          "GetItems? UsersTable",
          "PutItem UsersTable",
          "TransactWriteItems UsersTable",
          "Secret",
          "PutItem|BatchExecuteStatement",
          "TransactWriteItems",
          "GetItem EventsTable",
          "BatchGetItem",
          "Query",
          "Query");

  private static final List<EnumSet<AwsFault>> FAULTS =
      List.of(
          EnumSet.complementOf(EnumSet.of(AwsFault.NONE, AwsFault.SILENCE, AwsFault.LATE)),
          EnumSet.of(AwsFault.THROTTLED, AwsFault.SLOW),
          EnumSet.of(AwsFault.LOST_ANSWER, AwsFault.CUT_ANSWER, AwsFault.GARBLED_ANSWER),
          EnumSet.of(AwsFault.LOST_REQUEST, AwsFault.INTERNAL_ERROR, AwsFault.UNAVAILABLE),
          EnumSet.of(AwsFault.EXPIRED_CREDENTIALS),
          EnumSet.of(AwsFault.ACCESS_DENIED),
          EnumSet.of(AwsFault.SILENCE, AwsFault.LATE));

  private static final Outage CALM = new Outage("nothing", List.of(AwsFault.NONE), 0);

  private final RandomGenerator random;
  private Outage outage = CALM;
  private boolean isOver;

  private record Outage(String calls, List<AwsFault> faults, double share) {}

  Weather(long seed) {
    random = new Random(seed);
  }

  /** Replaces the current outage by another, or by none. */
  synchronized void change(RandomGenerator plan) {
    String calls = CALLS.get(plan.nextInt(CALLS.size()));
    List<AwsFault> faults = List.copyOf(FAULTS.get(plan.nextInt(FAULTS.size())));
    double share = List.of(0.1, 0.4, 0.8, 1.0).get(plan.nextInt(4));
    // These faults can block a worker for a second or more, so they are rarer.
    boolean isSlow = faults.contains(AwsFault.SILENCE) || faults.contains(AwsFault.THROTTLED);
    outage =
        isOver || plan.nextInt(3) == 0
            ? CALM
            : new Outage(calls, faults, isSlow ? share / 10 : share);
  }

  /** Ends all outages for good. */
  synchronized void end() {
    isOver = true;
    outage = CALM;
  }

  synchronized AwsFault fault(String call) {
    return Pattern.compile(outage.calls()).matcher(call).find()
            && random.nextDouble() < outage.share()
        ? outage.faults().get(random.nextInt(outage.faults().size()))
        : AwsFault.NONE;
  }
}
