package dev.connectorevents.bench.coldstart;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Requests one after the other, sent to all candidates in turns: some to this one, some to that.
 */
final class WarmRequests {

  /** So many that what the turn before has left in the CPU's caches does not matter. */
  static final int TURN = 500;

  private record Running(Candidate candidate, Instance instance, List<Double> timesMs) {}

  private WarmRequests() {}

  /**
   * The times in ms, without those of the first half, in which the JVM compiles the most.
   *
   * @param invokes of each candidate, rounded up to an even number of turns
   */
  static Map<Candidate, List<Double>> measure(
      Machine machine, List<Candidate> candidates, int invokes) throws IOException {
    List<Running> all = new ArrayList<>();
    try {
      for (Candidate candidate : candidates) {
        Instance instance = new Instance(candidate, machine, List.of());
        all.add(new Running(candidate, instance, new ArrayList<>()));
        instance.awaitReady();
      }
      int turns = 2 * Math.ceilDiv(invokes, 2 * TURN);
      for (int turn = 0; turn < turns; turn++) {
        System.err.println("Sending requests, turn " + (turn + 1) + " of " + turns + " ...");
        for (Running each : all) {
          send(each, turn >= turns / 2);
        }
      }
      return all.stream().collect(Collectors.toMap(Running::candidate, Running::timesMs));
    } finally {
      for (Running each : all) {
        each.instance().close();
      }
    }
  }

  private static void send(Running running, boolean isMeasured) {
    for (int i = 0; i < TURN; i++) {
      double ms = running.instance().invoke();
      if (isMeasured) {
        running.timesMs().add(ms);
      }
    }
  }
}
