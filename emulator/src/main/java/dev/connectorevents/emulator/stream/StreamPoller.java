package dev.connectorevents.emulator.stream;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Polls an event source until it is closed: ten times a second while there are writes, else once,
 * since each poll costs DynamoDB Local some milliseconds.
 */
public final class StreamPoller implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration IDLE_PAUSE = Duration.ofSeconds(1);

  /** How long after the answer to a request a write may come to the stream. */
  private static final Duration AWAKE = Duration.ofMillis(500);

  private final EventSource source;
  private final Thread thread;
  private volatile long awakeUntil = System.nanoTime();
  private boolean isFailing;

  public StreamPoller(EventSource source) {
    this.source = source;
    this.thread = Thread.ofPlatform().daemon().name("stream").start(this::run);
  }

  /** Call after a request: it may have written something. */
  public void wake() {
    boolean isAsleep = !isAwake();
    awakeUntil = System.nanoTime() + AWAKE.toNanos();
    if (isAsleep) {
      LockSupport.unpark(thread);
    }
  }

  private boolean isAwake() {
    return System.nanoTime() - awakeUntil < 0;
  }

  private void run() {
    while (!Thread.currentThread().isInterrupted()) {
      poll();
      LockSupport.parkNanos((isAwake() ? PAUSE : IDLE_PAUSE).toNanos());
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
