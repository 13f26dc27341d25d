package dev.connectorevents.bench.speed;

import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The command behind `bench/run jmh`: progress goes to standard error, the table to output. */
public final class MeasureSpeed {

  private static final int FORKS = 1;
  private static final int WARM_UPS = 3;
  private static final int MEASUREMENTS = 3;

  private MeasureSpeed() {}

  /** Takes a regular expression that names benchmarks; without one, all of them run. */
  public static void main(String[] arguments) throws RunnerException {
    Options options = options(arguments.length == 0 ? ".*" : arguments[0]);
    var progress = OutputFormatFactory.createFormatInstance(System.err, VerboseMode.NORMAL);
    var results = new Runner(options, progress).run();
    System.out.print(new SpeedTable(results.stream().map(Speed::of).toList()));
  }

  private static Options options(String benchmarks) {
    return new OptionsBuilder()
        .include(benchmarks)
        .mode(Mode.AverageTime)
        .timeUnit(Speed.UNIT)
        .forks(FORKS)
        .warmupIterations(WARM_UPS)
        .warmupTime(TimeValue.seconds(1))
        .measurementIterations(MEASUREMENTS)
        .measurementTime(TimeValue.seconds(1))
        .addProfiler(GCProfiler.class)
        // As in a function of that size: one processor's collector, and its memory.
        .jvmArgs("-XX:+UseSerialGC", "-Xmx512m", "--sun-misc-unsafe-memory-access=allow")
        .shouldFailOnError(true)
        .build();
  }
}
