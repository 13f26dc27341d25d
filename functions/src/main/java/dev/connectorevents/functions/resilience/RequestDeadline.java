package dev.connectorevents.functions.resilience;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Fails a call to a dependency, or its retry, if no time is left for it in the request: so the
 * client still gets an answer of ours and not Lambda's time-out.
 */
public final class RequestDeadline implements ExecutionInterceptor {

  /** The end of this thread's request, in nanoseconds of {@link System#nanoTime}. */
  private static final ScopedValue<Long> END = ScopedValue.newInstance();

  private final Duration longestCall;

  /**
   * @param longestCall the longest time that one try of a call takes
   */
  public RequestDeadline(Duration longestCall) {
    this.longestCall = longestCall;
  }

  /**
   * Runs a request that has a deadline.
   *
   * @param time how long until the deadline
   */
  public static <T> T within(Duration time, Supplier<T> request) {
    return ScopedValue.where(END, System.nanoTime() + time.toNanos()).call(request::get);
  }

  /**
   * Runs each task within the deadline of the thread that submits it.
   *
   * @param threads starts a thread for each task
   */
  public static Executor executor(Executor threads) {
    return task -> threads.execute(END.isBound() ? inherited(END.get(), task) : task);
  }

  private static Runnable inherited(long end, Runnable task) {
    return () -> ScopedValue.where(END, end).run(task);
  }

  /** Whether the deadline leaves time for a call after this wait; true outside of a request. */
  boolean leavesTimeForCallAfter(Duration wait) {
    return !END.isBound() || END.get() - System.nanoTime() >= wait.plus(longestCall).toNanos();
  }

  /**
   * Checks the deadline before each try of a call.
   *
   * @throws SdkClientException if the time left is shorter than the longest call
   */
  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    if (!leavesTimeForCallAfter(Duration.ZERO)) {
      throw SdkClientException.create("no time is left for another call");
    }
  }
}
