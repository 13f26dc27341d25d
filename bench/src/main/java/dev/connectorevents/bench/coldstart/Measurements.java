package dev.connectorevents.bench.coldstart;

import dev.connectorevents.bench.coldstart.Candidates.Candidate;
import dev.connectorevents.bench.coldstart.Instance.Start;
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
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Runs the candidates in turns, so that other load on the machine affects all of them alike.
 *
 * @param launcher a command and its arguments, put before the command of each process
 * @param ambient returns the environment variables of a candidate that the template does not set
 */
record Measurements(
    AwsStub aws, List<String> launcher, Function<Candidate, Map<String, String>> ambient) {

  private static final int BATCHES_A_TURN = 10;
  private static final int REQUESTS_A_TURN = 50;

  private static final Pattern LOADED = Pattern.compile("^(.*?) source: ", Pattern.MULTILINE);

  /**
   * Starts each candidate in every round. The first round does not count: it only fills the
   * machine's caches.
   *
   * @param runs the number of rounds that count
   */
  Map<Candidate, List<Run>> starts(List<Candidate> candidates, int runs)
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

  /**
   * Starts each candidate several times. Returns the times of the first requests of each start in
   * order, in ms.
   */
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

  /**
   * Sends single events and batches in turns. Leaves out the first half of the turns, in which the
   * JVM still compiles.
   */
  Throughput throughput(Candidate single, Candidate batch, int turns)
      throws IOException, InterruptedException {
    System.err.println("Storing batches ...");
    Turns one = new Turns("one event a request", 1);
    Turns many = new Turns(Throughput.EVENTS + " events a request", Throughput.EVENTS);
    try (Instance singles = start(single);
        Instance batches = start(batch)) {
      singles.awaitReady();
      batches.awaitReady();
      aws.answerAfter(Waits.USUAL);
      for (int turn = 0; turn < turns; turn++) {
        boolean counts = turn >= turns / 2;
        one.add(singles, Throughput.EVENTS, counts);
        many.add(batches, BATCHES_A_TURN, counts);
      }
    }
    return new Throughput(List.of(one.kind(), many.kind()));
  }

  /** Collects the median time and the mean CPU time of each turn, for one kind of request. */
  private record Turns(String name, int events, List<Double> ms, List<Double> cpuMs) {

    Turns(String name, int events) {
      this(name, events, new ArrayList<>(), new ArrayList<>());
    }

    void add(Instance instance, int requests, boolean counts)
        throws IOException, InterruptedException {
      List<Double> times = new ArrayList<>();
      double cpu = instance.cpuMs(requests, times);
      if (counts) {
        ms.add(Result.percentile(times, 50));
        cpuMs.add(cpu);
      }
    }

    Throughput.KindOfRequest kind() {
      return new Throughput.KindOfRequest(name, events, ms, cpuMs);
    }
  }

  /**
   * Sends {@code findmissing} requests and single events in turns. Leaves out the first half of the
   * turns, in which the JVM still compiles.
   */
  MissingKeys missingKeys(Candidate single, Candidate keys, int turns)
      throws IOException, InterruptedException {
    System.err.println("Asking for missing keys ...");
    List<Double> one = new ArrayList<>();
    Map<Integer, List<Double>> many = new LinkedHashMap<>();
    try (Instance singles = start(single);
        Instance finder = start(keys)) {
      singles.awaitReady();
      finder.awaitReady();
      for (int turn = 0; turn < turns; turn++) {
        double singleMs = singles.cpuMs(REQUESTS_A_TURN);
        if (turn >= turns / 2) {
          one.add(singleMs);
        }
        for (int kilobytes : MissingKeys.EVENT_KILOBYTES) {
          aws.setItemBytes(kilobytes << 10);
          double cpuMs = finder.cpuMs(REQUESTS_A_TURN);
          if (turn >= turns / 2) {
            many.computeIfAbsent(kilobytes, it -> new ArrayList<>()).add(cpuMs);
          }
        }
      }
    }
    List<MissingKeys.KindOfRequest> kinds = new ArrayList<>();
    kinds.add(new MissingKeys.KindOfRequest("one event is created", one));
    many.forEach((kilobytes, cpuMs) ->
        kinds.add(
            new MissingKeys.KindOfRequest(
                MissingKeys.KEYS + " keys, events of " + kilobytes + " KB", cpuMs)));
    return new MissingKeys(kinds);
  }

  /**
   * Sends warm requests to the candidates in turns. Returns the times of each turn in ms.
   *
   * @param size the number of requests in a turn; skips the candidates with turns of another size
   * @param unmeasured the number of turns to leave out at the beginning, while the JVM still
   *     compiles
   */
  Map<Candidate, List<List<Double>>> requests(
      List<Candidate> candidates, int size, int turns, int unmeasured)
      throws IOException, InterruptedException {
    Map<Candidate, List<List<Double>>> all = new LinkedHashMap<>();
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
          List<Double> times = new ArrayList<>();
          while (times.size() < size) {
            times.add(each.invoke());
          }
          if (turn >= unmeasured) {
            all.computeIfAbsent(each.candidate(), it -> new ArrayList<>()).add(times);
          }
        }
      }
      return all;
    } finally {
      instances.forEach(Instance::close);
    }
  }

  /**
   * Returns the classes that a candidate loads until its first answer. Of a candidate with a
   * snapshot, returns only the classes that it loads after the snapshot. Starts a separate process,
   * since logging the classes takes time.
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

  /** Starts each candidate that has a snapshot in every round. */
  TouchedPages touchedPages(List<Candidate> candidates, int runs)
      throws IOException, InterruptedException {
    Map<Candidate, List<Map<TouchedPages.Kind, Double>>> all = new LinkedHashMap<>();
    for (int round = 1; round <= runs; round++) {
      System.err.println("Counting touched pages, round " + round + " of " + runs + " ...");
      for (Candidate candidate : candidates) {
        try (Instance instance = start(candidate, TouchedPages.JVM_OPTION)) {
          instance.process().awaitSnapshot();
          TouchedPages.forget(instance.process().pid());
          instance.process().restore();
          instance.invoke();
          all.computeIfAbsent(candidate, it -> new ArrayList<>())
              .add(TouchedPages.since(instance.process().pid()));
        }
      }
    }
    return new TouchedPages(all);
  }

  /**
   * The binary names of the classes in a log of the JVM. A class made at run time has an address in
   * its name.
   */
  static List<String> names(String classLog) {
    return LOADED.matcher(classLog).results().map(result -> result.group(1)).toList();
  }

  /** Logs in and returns the token. */
  String token(Candidate login) throws IOException, InterruptedException {
    try (Instance instance = start(login)) {
      String answer = instance.process().invoke(login.event()).payload();
      return answer.replaceFirst(".*access_token\\W+([\\w.-]+).*", "$1");
    }
  }

  private Instance start(Candidate candidate, String... options) throws IOException {
    aws.answerAfter(candidate.waits());
    FunctionDefinition function = candidate.function();
    LambdaRuntime runtime = candidate.deployment().runtime();
    ProcessBuilder process =
        runtime.process(
            function, candidate.initialization(), ambient.apply(candidate), List.of(options));
    process.command().addAll(0, launcher);
    return new Instance(candidate, FunctionProcess.start(function, process));
  }
}
