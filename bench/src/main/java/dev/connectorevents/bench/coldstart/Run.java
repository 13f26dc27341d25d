package dev.connectorevents.bench.coldstart;

import java.util.List;

/**
 * One life of a function's process.
 *
 * @param initMs from the start of the process until it asks for its first event
 * @param firstMs from the first event until its answer
 * @param peakMib the most memory up to then
 * @param warmMs of the requests that followed, but for those while the JVM still compiles
 */
record Run(double initMs, double firstMs, double peakMib, List<Double> warmMs) {

  Run {
    warmMs = List.copyOf(warmMs);
  }

  double coldMs() {
    return initMs + firstMs;
  }
}
