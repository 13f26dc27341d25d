package dev.connectorevents.emulator.stream;

import java.time.Duration;

/** Polls an event source ten times a second, until it is closed. */
public final class StreamPoller implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofMillis(100);

  private final EventSource source;
  private final Thread thread;
  private boolean isFailing;

  public StreamPoller(EventSource source) {
    this.source = source;
    this.thread = Thread.ofPlatform().daemon().name("stream").start(this::run);
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        poll();
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      // closed
    }
  }

  /** What fails, such as an endpoint that is down, is told once and tried again. */
  private void poll() {
    try {
      source.poll();
      isFailing = false;
    } catch (RuntimeException e) {
      if (!isFailing && !Thread.currentThread().isInterrupted()) {
        System.err.println("the stream cannot be read: " + e.getMessage());
      }
      isFailing = true;
    }
  }

  /** Interrupts the call that is under way: after the next start it is repeated. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
