package dev.connectorevents.bench.speed;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * How fast something is done to a text of some size.
 *
 * @param what as {@code EventRequest.read}
 * @param bytes of the text; 0 where there is none
 * @param allocated in bytes, each time
 */
record Speed(String what, int bytes, double micros, double allocated) {

  static final TimeUnit UNIT = TimeUnit.MICROSECONDS;

  static Speed of(RunResult result) {
    BenchmarkParams params = result.getParams();
    String[] name = params.getBenchmark().split("\\.", -1);
    return new Speed(
        name[name.length - 2].replace("Benchmark", "") + "." + name[name.length - 1],
        params.getParamsKeys().contains("bytes") ? Integer.parseInt(params.getParam("bytes")) : 0,
        result.getPrimaryResult().getScore(),
        allocated(result));
  }

  private static double allocated(RunResult result) {
    Result<?> profiled = result.getSecondaryResults().get("gc.alloc.rate.norm");
    if (profiled == null) {
      throw new IllegalStateException("the profiler of the collector was not on");
    }
    return profiled.getScore();
  }

  /** In millions of bytes a second. */
  double megabytesPerSecond() {
    return bytes / micros;
  }
}
