package dev.connectorevents.emulator.lambda;

/** How one call of a function ended. */
public sealed interface Invocation {
  /** It answered; the bytes are whatever it wrote. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
  record Answered(byte[] payload) implements Invocation {}

  /** As many calls of it as may were running; it was not called. */
  record Throttled() implements Invocation {}

  /** It threw, ran out of time or wrote too much. */
  record Failed(FunctionError error) implements Invocation {}
}
