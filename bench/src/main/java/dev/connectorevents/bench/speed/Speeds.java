package dev.connectorevents.bench.speed;

import static java.util.Objects.requireNonNull;

import dev.connectorevents.bench.MarkdownTable;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * The results of the benchmarks. A benchmark with a text is compared with {@code Jackson.tree} for
 * a text of the same size.
 */
public record Speeds(List<Speed> speeds) {

  /**
   * The result of one benchmark.
   *
   * @param what the benchmark, such as {@code EventRequest.read}
   * @param bytes the size of the text; NaN if the benchmark has no text
   * @param micros the mean time of a call, in microseconds
   * @param allocated the bytes that a call allocates
   */
  record Speed(String what, double bytes, double micros, double allocated) {

    static Speed of(RunResult result) {
      BenchmarkParams params = result.getParams();
      String[] name = params.getBenchmark().split("\\.", -1);
      boolean isOfText = params.getParamsKeys().contains("bytes");
      return new Speed(
          name[name.length - 2].replace("Benchmark", "") + "." + name[name.length - 1],
          isOfText ? Double.parseDouble(params.getParam("bytes")) : Double.NaN,
          result.getPrimaryResult().getScore(),
          requireNonNull(result.getSecondaryResults().get("gc.alloc.rate.norm")).getScore());
    }
  }

  /**
   * Runs the benchmarks whose names contain a match.
   *
   * @param benchmarks a regular expression
   */
  public static Speeds measure(String benchmarks) throws RunnerException {
    Options options =
        new OptionsBuilder()
            .include(benchmarks)
            .mode(Mode.AverageTime)
            .timeUnit(TimeUnit.MICROSECONDS)
            .forks(1)
            .warmupIterations(3)
            .warmupTime(TimeValue.seconds(1))
            .measurementIterations(3)
            .measurementTime(TimeValue.seconds(1))
            .addProfiler(GCProfiler.class)
            // Like a small function: the garbage collector for one processor, and a heap of 512 MB.
            .jvmArgs("-XX:+UseSerialGC", "-Xmx512m", "--sun-misc-unsafe-memory-access=allow")
            .shouldFailOnError(true)
            .build();
    return new Speeds(
        new Runner(options)
            .run().stream()
                .map(Speed::of)
                .sorted(Comparator.comparingDouble(Speed::bytes).thenComparingDouble(Speed::micros))
                .toList());
  }

  @Override
  public String toString() {
    Map<Double, Double> yardstick =
        speeds.stream()
            .filter(each -> each.what.equals("Jackson.tree"))
            .collect(Collectors.toMap(Speed::bytes, Speed::micros));
    return new MarkdownTable<>(speeds)
        .column("", Speed::what)
        .column("bytes", "%,.0f", Speed::bytes)
        .column("µs", "%,.1f", Speed::micros)
        .column("MB/s", "%,.0f", speed -> speed.bytes / speed.micros)
        .column(
            "time, Jackson.tree = 1",
            "%.2f",
            speed -> speed.micros / yardstick.getOrDefault(speed.bytes, Double.NaN))
        .column("allocated, text = 1", "%.1f", speed -> speed.allocated / speed.bytes)
        .toString();
  }
}
