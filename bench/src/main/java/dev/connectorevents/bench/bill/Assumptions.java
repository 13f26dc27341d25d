package dev.connectorevents.bench.bill;

/**
 * What cannot be measured on one machine.
 *
 * @param memoryMb of the function
 * @param durationMs that Lambda bills for a warm request
 * @param eventsPerSecond that one warm function takes: it decides how often the remembered user and
 *     the cached secret serve
 * @param logBytes of a request's two lines: ours and the access log's
 */
record Assumptions(int memoryMb, double durationMs, double eventsPerSecond, int logBytes) {

  static final double DURATION_MS = 5;
  static final double EVENTS_PER_SECOND = 1;
  static final int LOG_BYTES = 900;

  double gigabyteSeconds() {
    return memoryMb / 1024.0 * durationMs / 1000;
  }

  /** The part of the events that finds what is kept for so long no longer there. */
  double missing(double seconds) {
    return Math.min(1, 1 / (seconds * eventsPerSecond));
  }
}
