package dev.connectorevents.bench.coldstart;

import dev.connectorevents.bench.coldstart.Candidates.Candidate;
import dev.connectorevents.bench.coldstart.Result.Run;
import dev.connectorevents.emulator.runtime.FunctionProcess;
import dev.connectorevents.emulator.runtime.LambdaRuntime;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Runs the candidates on this machine, in turns: what else it does then falls on all alike. */
record Measurements(List<String> launcher, Map<String, String> ambient) {

  private static final int BATCHES_A_TURN = 10;
  private static final Pattern LOADED = Pattern.compile("^(.*?) source: ", Pattern.MULTILINE);

  /** Every start of each candidate but the first one, which also fills the machine's caches. */
  Map<Candidate, List<Run>> starts(List<Candidate> candidates, int runs)
      throws IOException, InterruptedException {
    Map<Candidate, List<Run>> all = new LinkedHashMap<>();
    for (int round = 0; round <= runs; round++) {
      System.err.println("Starting all functions, round " + round + " of " + runs + " ...");
      for (Candidate candidate : candidates) {
        try (Instance instance = start(candidate)) {
          Run run = new Run(instance.awaitReady(), instance.invoke(), instance.peakMib());
          if (round > 0) {
            all.computeIfAbsent(candidate, it -> new ArrayList<>()).add(run);
          }
        }
      }
    }
    return all;
  }

  /** The first requests of each start, in their order, in ms. */
  Map<Candidate, List<List<Double>>> firstRequests(List<Candidate> candidates, int runs)
      throws IOException, InterruptedException {
    Map<Candidate, List<List<Double>>> all = new LinkedHashMap<>();
    for (int run = 1; run <= runs; run++) {
      System.err.println("Sending first requests, run " + run + " of " + runs + " ...");
      for (Candidate candidate : candidates) {
        List<Double> times = new ArrayList<>();
        try (Instance instance = start(candidate)) {
          instance.awaitReady();
          while (times.size() < FirstRequests.COUNT) {
            times.add(instance.invoke());
          }
        }
        all.computeIfAbsent(candidate, it -> new ArrayList<>()).add(times);
      }
    }
    return all;
  }

  /** Requests to two candidates in turns; the first half of the turns does not count. */
  Throughput throughput(Candidate single, Candidate batch, int turns)
      throws IOException, InterruptedException {
    System.err.println("Storing batches ...");
    List<Double> one = new ArrayList<>();
    List<Double> many = new ArrayList<>();
    try (Instance singles = start(single);
        Instance batches = start(batch)) {
      singles.awaitReady();
      batches.awaitReady();
      for (int turn = 0; turn < turns; turn++) {
        for (int request = 0; request < Throughput.EVENTS; request++) {
          one.add(singles.invoke());
        }
        for (int request = 0; request < BATCHES_A_TURN; request++) {
          many.add(batches.invoke());
        }
      }
    }
    return new Throughput(
        one.subList(one.size() / 2, one.size()), many.subList(many.size() / 2, many.size()));
  }

  /**
   * Times of requests one after the other, in ms, by those candidates that take turns of that size.
   *
   * @param unmeasured turns at the beginning, in which the JVM compiles the most
   */
  Map<Candidate, List<Double>> requests(
      List<Candidate> candidates, int size, int turns, int unmeasured)
      throws IOException, InterruptedException {
    Map<Candidate, List<Double>> all = new LinkedHashMap<>();
    List<Instance> instances = new ArrayList<>();
    try {
      for (Candidate candidate : candidates) {
        if (candidate.turn() == size) {
          instances.add(start(candidate));
          instances.getLast().awaitReady();
        }
      }
      System.err.println("Sending requests in " + turns + " turns of " + size + " ...");
      for (int turn = 0; turn < turns; turn++) {
        for (Instance each : instances) {
          for (int request = 0; request < size; request++) {
            double ms = each.invoke();
            if (turn >= unmeasured) {
              all.computeIfAbsent(each.candidate(), it -> new ArrayList<>()).add(ms);
            }
          }
        }
      }
      return all;
    } finally {
      instances.forEach(Instance::close);
    }
  }

  /**
   * The classes that a candidate loads until its first answer; after a snapshot, those since then.
   * In a run of its own, since to log them takes time.
   */
  List<String> classes(Candidate candidate) throws IOException, InterruptedException {
    Path log = Files.createTempFile("classes", ".log");
    try (Instance instance = start(candidate, LambdaRuntime.logClasses(log))) {
      int before = 0;
      if (candidate.isRestored()) {
        instance.process().awaitSnapshot();
        before = names(Files.readString(log)).size();
        instance.process().restore();
      }
      instance.invoke();
      List<String> classes = names(Files.readString(log));
      return classes.subList(before, classes.size());
    } finally {
      Files.delete(log);
    }
  }

  /** Binary names; those made at run time end in the address that they lie at. */
  static List<String> names(String classLog) {
    return LOADED.matcher(classLog).results().map(result -> result.group(1)).toList();
  }

  /** The token that a login answers. */
  String token(Candidate login) throws IOException, InterruptedException {
    try (Instance instance = start(login)) {
      String answer = instance.process().invoke(login.event()).payload();
      return answer.replaceFirst(".*access_token\\W+([\\w.-]+).*", "$1");
    }
  }

  private Instance start(Candidate candidate, String... options) throws IOException {
    FunctionDefinition function = candidate.function();
    LambdaRuntime runtime = candidate.deployment().runtime();
    ProcessBuilder process =
        runtime.process(function, candidate.initialization(), ambient, List.of(options));
    process.command().addAll(0, launcher);
    return new Instance(candidate, FunctionProcess.start(function, process));
  }
}
