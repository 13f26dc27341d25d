package dev.connectorevents.bench.coldstart;

/**
 * One start of a function's process.
 *
 * @param initMs from the start of the process until it asks for its first event
 * @param firstMs from the first event until its answer
 * @param peakMib the most memory up to then
 */
record Run(double initMs, double firstMs, double peakMib) {

  double coldMs() {
    return initMs + firstMs;
  }
}
