package dev.connectorevents.functions.wiring;

import java.time.Duration;

/** The real wait of deployed functions. Unit tests inject a faster one. */
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
