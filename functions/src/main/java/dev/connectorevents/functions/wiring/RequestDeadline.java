package dev.connectorevents.functions.wiring;

import java.time.Duration;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Lets no call to a dependency begin, nor begin again, when the request that needs it has no time
 * left for it: then its client still gets an answer of ours.
 */
public final class RequestDeadline implements ExecutionInterceptor {

  /** In {@link System#nanoTime}. */
  private static final ScopedValue<Long> DEADLINE = ScopedValue.newInstance();

  private final Duration longestCall;

  /**
   * @param longestCall what one try of a call takes at most
   */
  public RequestDeadline(Duration longestCall) {
    this.longestCall = longestCall;
  }

  /** Does something that has to be done within a time. */
  public static <T> T within(Duration time, Supplier<T> request) {
    return ScopedValue.where(DEADLINE, System.nanoTime() + time.toNanos()).call(request::get);
  }

  /** Whether a call may still begin after so long a wait; always outside of a request. */
  boolean leavesTimeForCallAfter(Duration wait) {
    return !DEADLINE.isBound()
        || DEADLINE.get() - System.nanoTime() >= wait.plus(longestCall).toNanos();
  }

  /**
   * Before each try.
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
