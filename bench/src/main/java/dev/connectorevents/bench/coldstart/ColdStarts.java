package dev.connectorevents.bench.coldstart;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Starts each candidate again and again, in turns: what else this machine does then falls on all
 * alike.
 */
final class ColdStarts {

  private static final int WARM_RUNS = 3;

  private final Machine machine;
  private final int runs;
  private final int invokes;

  /**
   * @param runs that are measured of each candidate, after one that is not
   * @param invokes in a row, in the first runs of a candidate whose warm requests are measured
   */
  ColdStarts(Machine machine, int runs, int invokes) {
    this.machine = machine;
    this.runs = runs;
    this.invokes = invokes;
  }

  List<Result> measure(List<Candidate> candidates) throws IOException {
    Map<Candidate, List<Run>> all = new LinkedHashMap<>();
    for (int round = 0; round <= runs; round++) {
      System.err.println("Starting all functions, round " + round + " of " + runs + " ...");
      for (Candidate candidate : candidates) {
        boolean isWarm = candidate.isWarm() && round >= 1 && round <= WARM_RUNS;
        Run run = run(candidate, isWarm ? invokes : 0);
        if (round > 0) { // the first one also fills the machine's caches
          all.computeIfAbsent(candidate, it -> new ArrayList<>()).add(run);
        }
      }
    }
    List<Result> results = new ArrayList<>();
    for (Map.Entry<Candidate, List<Run>> each : all.entrySet()) {
      results.add(new Result(each.getKey(), each.getValue(), classes(each.getKey())));
    }
    return results;
  }

  private Run run(Candidate candidate, int warm) throws IOException {
    try (Instance instance = new Instance(candidate, machine, List.of())) {
      if (candidate.isRestored()) {
        instance.awaitSnapshot();
        instance.restore();
      }
      double initMs = instance.awaitReady();
      double firstMs = instance.invoke();
      double peakMib = instance.peakMib();
      List<Double> warmMs = new ArrayList<>();
      for (int i = 0; i < warm; i++) {
        warmMs.add(instance.invoke());
      }
      // The JVM compiles during the first quarter.
      return new Run(initMs, firstMs, peakMib, warmMs.subList(warm / 4, warm));
    }
  }

  /** In a run of its own, since to log them takes time. */
  private List<String> classes(Candidate candidate) throws IOException {
    ClassLog log = new ClassLog(Files.createTempFile(machine.folder(), "classes", ".log"));
    try (Instance instance = new Instance(candidate, machine, List.of(log.option()))) {
      int before = 0;
      if (candidate.isRestored()) {
        instance.awaitSnapshot();
        before = log.classes().size();
        instance.restore();
      }
      instance.awaitReady();
      instance.invoke();
      List<String> classes = log.classes();
      return classes.subList(before, classes.size());
    }
  }
}
