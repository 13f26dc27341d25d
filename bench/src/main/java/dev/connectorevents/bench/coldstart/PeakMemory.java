package dev.connectorevents.bench.coldstart;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The most memory that a process had, as Linux counts it. */
final class PeakMemory {

  private static final Pattern HIGH_WATER_MARK = Pattern.compile("VmHWM:\\s+(\\d+) kB");

  private PeakMemory() {}

  /**
   * In MiB.
   *
   * @param status as /proc/PID/status has it
   */
  static double mib(String status) {
    Matcher mark = HIGH_WATER_MARK.matcher(status);
    if (!mark.find()) {
      throw new IllegalArgumentException("no VmHWM in: " + status);
    }
    return Integer.parseInt(mark.group(1)) / 1024.0;
  }
}
