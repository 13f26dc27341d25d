package dev.connectorevents.emulator;

import java.util.ArrayDeque;
import java.util.Deque;

/** The started parts. Closes them in reverse order. */
final class OpenResources implements AutoCloseable {
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  <T extends AutoCloseable> T add(T part) {
    parts.push(part);
    return part;
  }

  /** Closes every part, even if another one fails to close. */
  @Override
  public void close() {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        System.err.println("failed to stop: " + e);
      }
    }
  }
}
