package dev.connectorevents.emulator.function;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Calls a function again and again until it is closed: as often as the template says, and more
 * often while there are requests, so that nobody waits for minutes on one machine.
 */
public final class FunctionSchedule implements AutoCloseable {

  private static final byte[] EVENT =
      "{\"source\":\"aws.events\",\"detail-type\":\"Scheduled Event\",\"detail\":{}}"
          .getBytes(UTF_8);

  /** The least time between two calls. */
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private final String function;
  private final Duration rate;
  private final Duration pause;
  private final FunctionInvoker invoker;
  private final Thread thread;
  private volatile boolean isAwake;

  /**
   * @param rate the longest time between two calls
   */
  public FunctionSchedule(String function, Duration rate, FunctionInvoker invoker) {
    this(function, rate, PAUSE, invoker);
  }

  FunctionSchedule(String function, Duration rate, Duration pause, FunctionInvoker invoker) {
    this.function = function;
    this.rate = rate;
    this.pause = pause;
    this.invoker = invoker;
    this.thread = Thread.ofPlatform().daemon().name("schedule").start(this::run);
  }

  /** Call after a request. */
  public void wake() {
    isAwake = true;
    LockSupport.unpark(thread);
  }

  private void run() {
    while (!Thread.currentThread().isInterrupted()) {
      isAwake = false;
      Invocation _ = invoker.invoke(function, EVENT); // its log line tells what has failed
      long start = System.nanoTime();
      while (!Thread.currentThread().isInterrupted() && left(start) > 0) {
        LockSupport.parkNanos(left(start));
      }
    }
  }

  private long left(long start) {
    return (isAwake ? pause : rate).toNanos() - (System.nanoTime() - start);
  }

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
