package dev.connectorevents.emulator.runtime;

/** What the process of a function tells the Runtime API. Times are {@link System#nanoTime}. */
public sealed interface Report {
  /** The process is initialized and ready for its snapshot. */
  record Suspended() implements Report {}

  /** The process asked for the next event, at that time. */
  record Idle(long at) implements Report {}

  /** The function returned; the whole payload had arrived at that time. */
  record Answered(String payload, long at) implements Report {}

  /** The function threw. */
  record Failed(String error) implements Report {}

  /** The function could not be initialized. */
  record NotStarted(String error) implements Report {}

  /** The process has ended. */
  record Exited(int status) implements Report {}
}
