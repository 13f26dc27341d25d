package dev.connectorevents.emulator.secretsmanager;

import java.util.Optional;

/** Whatever runs the functions that rotate secrets. */
@FunctionalInterface
public interface Rotator {
  /**
   * Calls a function and waits.
   *
   * @param event JSON
   * @return what went wrong, if anything did
   */
  Optional<String> invoke(String functionArn, String event);
}
