package dev.connectorevents.emulator.secretsmanager;

import java.util.Optional;

/** Invokes the functions that rotate secrets, as Secrets Manager does. */
@FunctionalInterface
public interface FunctionInvoker {
  /**
   * Invokes a function with a JSON event, and waits for its end. Returns the function's error;
   * empty if it succeeded.
   */
  Optional<String> invoke(String functionArn, String event);
}
