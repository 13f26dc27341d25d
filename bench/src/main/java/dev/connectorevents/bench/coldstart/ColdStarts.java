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

  private final Machine machine;

  ColdStarts(Machine machine) {
    this.machine = machine;
  }

  /**
   * Every start of each candidate.
   *
   * @param runs that are measured of each, after one that is not
   */
  Map<Candidate, List<Run>> measure(List<Candidate> candidates, int runs) throws IOException {
    Map<Candidate, List<Run>> all = new LinkedHashMap<>();
    for (int round = 0; round <= runs; round++) {
      System.err.println("Starting all functions, round " + round + " of " + runs + " ...");
      for (Candidate candidate : candidates) {
        Run run = run(candidate);
        if (round > 0) { // the first one also fills the machine's caches
          all.computeIfAbsent(candidate, it -> new ArrayList<>()).add(run);
        }
      }
    }
    return all;
  }

  private Run run(Candidate candidate) throws IOException {
    try (Instance instance = new Instance(candidate, machine, List.of())) {
      double initMs = instance.awaitReady();
      double firstMs = instance.invoke();
      return new Run(initMs, firstMs, instance.peakMib());
    }
  }

  /**
   * The classes that it loads until its first answer; after a snapshot, those since then. In a run
   * of its own, since to log them takes time.
   */
  List<String> classes(Candidate candidate) throws IOException {
    ClassLog log = new ClassLog(Files.createTempFile(machine.folder(), "classes", ".log"));
    try (Instance instance = new Instance(candidate, machine, List.of(log.option()))) {
      int before = 0;
      if (candidate.isRestored()) {
        instance.awaitSnapshot();
        before = log.classes().size();
      }
      instance.awaitReady();
      instance.invoke();
      List<String> classes = log.classes();
      return classes.subList(before, classes.size());
    }
  }
}
