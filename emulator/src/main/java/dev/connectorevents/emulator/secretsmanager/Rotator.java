package dev.connectorevents.emulator.secretsmanager;

import java.util.Optional;

/** Calls functions for Secrets Manager. */
@FunctionalInterface
public interface Rotator {
  /** Calls a function with a JSON event and waits. Returns the error, if it failed. */
  Optional<String> invoke(String functionArn, String event);
}
