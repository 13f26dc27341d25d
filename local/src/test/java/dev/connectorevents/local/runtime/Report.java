package dev.connectorevents.local.runtime;

/** What becomes known of a function's process, in the order in which it happens. */
public sealed interface Report {
  /** It has started and waits to be restored, as it is in a snapshot. */
  record Suspended() implements Report {}

  /** It has started, or answered, and asks for the next event. */
  record Idle() implements Report {}

  /** It answered; the text is whatever it wrote. */
  record Answered(String payload) implements Report {}

  /** It threw. */
  record Failed(String error) implements Report {}

  /** It could not start: its class is missing, or threw when it was made. */
  record NotStarted(String error) implements Report {}

  /** It is gone. */
  record Exited(int status) implements Report {}
}
