package dev.connectorevents.functions.wiring;

import java.time.Duration;

/** Lets time pass; tests put something faster in its place. */
public final class Sleep {

  private Sleep() {}

  /**
   * Waits.
   *
   * @throws IllegalStateException if the thread is interrupted, which stays set
   */
  public static void of(Duration duration) {
    try {
      Thread.sleep(duration);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("stopped while it waited", e);
    }
  }
}
