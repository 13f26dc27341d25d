package dev.connectorevents.bench;

import dev.connectorevents.bench.Candidates.Candidate;
import dev.connectorevents.bench.Instance.Start;
import dev.connectorevents.bench.Result.Run;
import dev.connectorevents.emulator.runtime.FunctionProcess;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs the candidates in turns, so that other load on the machine affects all of them alike.
 *
 * @param launcher a command and its arguments, put before the command of each process
 * @param ambient the environment variables that the template does not set
 */
record Measurements(List<String> launcher, Map<String, String> ambient) {

  /**
   * The number of turns with warm requests. 10,000 requests make turns of 500: enough to make the
   * CPU caches of the previous turn irrelevant.
   */
  private static final int TURNS = 20;

  /** The number of turns that do not count, since the JVM still compiles. */
  private static final int UNMEASURED_TURNS = TURNS / 2;

  /** A login gets one request where others get this many: bcrypt takes so much longer. */
  private static final int REQUESTS_A_LOGIN = 100;

  /**
   * Measures the candidates.
   *
   * @param runs the number of starts of each candidate
   * @param invokes the number of warm requests to each candidate with a snapshot
   */
  List<Result> results(List<Candidate> candidates, int runs, int invokes)
      throws IOException, InterruptedException {
    Map<Candidate, List<Run>> starts = starts(candidates, runs);
    Map<Candidate, List<List<Double>>> warm =
        requests(candidates.stream().filter(Candidate::isRestored).toList(), invokes);
    return candidates.stream()
        .map(each ->
            new Result(
                each, starts.getOrDefault(each, List.of()), warm.getOrDefault(each, List.of())))
        .toList();
  }

  /**
   * Starts each candidate in every round. The first round does not count: it only fills the
   * machine's caches.
   */
  private Map<Candidate, List<Run>> starts(List<Candidate> candidates, int runs)
      throws IOException, InterruptedException {
    Map<Candidate, List<Run>> all = new LinkedHashMap<>();
    for (int round = 0; round <= runs; round++) {
      System.err.println("Starting all functions, round " + round + " of " + runs + " ...");
      for (Candidate candidate : candidates) {
        try (Instance instance = start(candidate)) {
          Start start = instance.awaitReady();
          double firstMs = start.restoreMs() + instance.invoke();
          Run run = new Run(start.initMs(), firstMs, instance.peakMib());
          if (round > 0) {
            all.computeIfAbsent(candidate, it -> new ArrayList<>()).add(run);
          }
        }
      }
    }
    return all;
  }

  /** Sends warm requests to the candidates in turns. Returns the times of each turn in ms. */
  private Map<Candidate, List<List<Double>>> requests(List<Candidate> candidates, int invokes)
      throws IOException, InterruptedException {
    Map<Candidate, List<List<Double>>> all = new LinkedHashMap<>();
    List<Instance> instances = new ArrayList<>();
    try {
      for (Candidate candidate : candidates) {
        instances.add(start(candidate));
        instances.getLast().awaitReady();
      }
      int size = Math.ceilDiv(invokes, TURNS);
      System.err.println("Sending requests in " + TURNS + " turns of " + size + " ...");
      for (int turn = 0; turn < TURNS; turn++) {
        for (Instance each : instances) {
          boolean isLogin = each.candidate().isLogin();
          List<Double> times = each.invoke(isLogin ? Math.ceilDiv(size, REQUESTS_A_LOGIN) : size);
          if (turn >= UNMEASURED_TURNS) {
            all.computeIfAbsent(each.candidate(), it -> new ArrayList<>()).add(times);
          }
        }
      }
      return all;
    } finally {
      instances.forEach(Instance::close);
    }
  }

  /** Logs in and returns the token. */
  String token(Candidate login) throws IOException, InterruptedException {
    try (Instance instance = start(login)) {
      String answer = instance.process().invoke(login.event()).payload();
      return answer.replaceFirst(".*access_token\\W+([\\w.-]+).*", "$1");
    }
  }

  private Instance start(Candidate candidate) throws IOException {
    FunctionDefinition function = candidate.function();
    ProcessBuilder process =
        candidate.runtime().process(function, candidate.initialization(), ambient, List.of());
    process.command().addAll(0, launcher);
    return new Instance(candidate, FunctionProcess.start(function, process));
  }
}
