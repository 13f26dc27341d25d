package dev.connectorevents.bench.coldstart;

import dev.connectorevents.bench.MarkdownTable;

/** Under which conditions was measured, for the reader of the tables. */
final class Conditions {

  private Conditions() {}

  static String text(CommandLine asked) {
    return """
    Medians of %d starts on JDK %s; %s; %s.
    Warm: the second half of %s requests, sent to all in turns of %d.
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
            MarkdownTable.figure("%,d", asked.invokes()),
            WarmRequests.TURN);
  }
}
