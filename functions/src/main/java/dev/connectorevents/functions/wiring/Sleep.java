package dev.connectorevents.functions.wiring;

import java.time.Duration;

/** Waits for functions; tests use something faster instead. */
public final class Sleep {

  private Sleep() {}

  /**
   * Waits for this time.
   *
   * @throws IllegalStateException if the thread is interrupted; its interrupt flag stays set
   */
  public static void of(Duration duration) {
    try {
      Thread.sleep(duration);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting", e);
    }
  }
}
