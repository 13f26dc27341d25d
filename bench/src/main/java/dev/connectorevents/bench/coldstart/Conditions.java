package dev.connectorevents.bench.coldstart;

/** Under which conditions was measured, for the reader of the tables. */
final class Conditions {

  private Conditions() {}

  static String text(CommandLine asked) {
    return """
    Medians of %d starts on JDK %s, %s; %s. Warm: of %,d requests in a row in each of at most three
    runs, without the first quarter.
    """
        .formatted(
            asked.runs(),
            System.getProperty("java.version"),
            asked.isPinned()
                ? "each function on one CPU, all else on another"
                : "**not pinned to a CPU**, since there is only one or no `taskset`",
            asked.certificate().isPresent()
                ? "AWS over TLS"
                : "**AWS over plain HTTP**, since the machine's trusted certificates cannot be"
                    + " extended here",
            asked.invokes());
  }
}
