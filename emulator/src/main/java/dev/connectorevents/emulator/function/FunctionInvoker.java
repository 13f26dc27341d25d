package dev.connectorevents.emulator.function;

/** Calls functions, as other services of AWS do. */
@FunctionalInterface
public interface FunctionInvoker {

  /**
   * Calls a function with a JSON event, and waits for its end.
   *
   * @param function its logical id or ARN
   */
  Invocation invoke(String function, byte[] event);
}
