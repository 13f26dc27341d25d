package dev.connectorevents.bench.coldstart;

/**
 * What is to be reached.
 *
 * @param what is measured
 * @param most that it may be
 * @param measured in the unit of {@code most}
 */
record Target(String what, double most, double measured) {

  boolean isReached() {
    return measured <= most;
  }
}
