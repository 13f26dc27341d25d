package dev.connectorevents.emulator.runtime;

/** What a function's process reports to the Runtime API, in the order in which it happens. */
public sealed interface Report {
  /** It has started and waits to be restored, as it is in a snapshot. */
  record Suspended() implements Report {}

  /**
   * It has started, or answered, and asks for the next event.
   *
   * @param at when it asked, as {@link System#nanoTime}
   */
  record Idle(long at) implements Report {}

  /**
   * It answered.
   *
   * @param payload whatever it wrote
   * @param at when the whole answer was here, as {@link System#nanoTime}
   */
  record Answered(String payload, long at) implements Report {}

  /** It threw. */
  record Failed(String error) implements Report {}

  /** It could not start: its class is missing, or threw when it was made. */
  record NotStarted(String error) implements Report {}

  /** It is gone. */
  record Exited(int status) implements Report {}
}
