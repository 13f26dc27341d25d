package dev.connectorevents.functions.resilience;

import dev.connectorevents.dynamodb.Deadline;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Fails a call to a dependency, or its retry, if no time is left for it: in the request, so that
 * the client still gets an answer of ours and not Lambda's time-out, or in the write that it
 * belongs to.
 */
public final class RequestDeadline implements ExecutionInterceptor {

  /** How long after its deadline a write is noted as late. */
  private static final Duration LATE = Duration.ofSeconds(1);

  /** What bounds the calls of this thread. */
  private static final ScopedValue<Bound> BOUND = ScopedValue.newInstance();

  private final Duration longestCall;

  /**
   * @param longestCall the longest time that one try of a call takes
   */
  public RequestDeadline(Duration longestCall) {
    this.longestCall = longestCall;
  }

  /**
   * A deadline within others. A deadline never lengthens the one around it.
   *
   * @param end in nanoseconds of {@code nanoTime}
   * @param isTried whether a call has begun directly within it
   * @param outer the deadline around it; null if there is none
   */
  private record Bound(
      long end,
      LongSupplier nanoTime,
      TimeNotes notes,
      AtomicBoolean isTried,
      @Nullable Bound outer) {

    static Bound of(long start, Duration time, LongSupplier nanoTime, TimeNotes notes) {
      return new Bound(
          start + time.toNanos(),
          nanoTime,
          notes,
          new AtomicBoolean(),
          BOUND.isBound() ? BOUND.get() : null);
    }

    boolean leaves(Duration time) {
      return end - nanoTime.getAsLong() >= time.toNanos() && (outer == null || outer.leaves(time));
    }

    <T> T run(Supplier<T> calls) {
      return ScopedValue.where(BOUND, this).call(calls::get);
    }
  }

  /**
   * Runs a request that has a deadline.
   *
   * @param time how long until the deadline
   * @param notes gets what the request sees
   */
  public static <T> T within(Duration time, TimeNotes notes, Supplier<T> request) {
    return Bound.of(System.nanoTime(), time, System::nanoTime, notes).run(request);
  }

  /**
   * Makes the deadlines of writes, which lie within that of the request. Notes a write that ends
   * long after its deadline.
   *
   * @param nanoTime the time in nanoseconds
   */
  public static Function<Duration, Deadline> ofWrites(LongSupplier nanoTime) {
    return time -> new OfWrite(nanoTime.getAsLong(), time, nanoTime);
  }

  private record OfWrite(long start, Duration time, LongSupplier nanoTime) implements Deadline {

    @Override
    public <T> T bound(Supplier<T> calls) {
      Bound bound = Bound.of(start, time, nanoTime, notes());
      try {
        return bound.run(calls);
      } finally {
        // Also after a failure: its last try may have written.
        Duration taken = Duration.ofNanos(nanoTime.getAsLong() - start);
        if (bound.isTried().get() && taken.compareTo(time.plus(LATE)) > 0) {
          bound.notes().lateWrite(taken);
        }
      }
    }
  }

  /** The notes of the current request. */
  static TimeNotes notes() {
    return BOUND.isBound() ? BOUND.get().notes() : new TimeNotes();
  }

  /**
   * Runs each task within the deadline of the thread that submits it.
   *
   * @param threads starts a thread for each task
   */
  public static Executor executor(Executor threads) {
    return task -> threads.execute(BOUND.isBound() ? inherited(BOUND.get(), task) : task);
  }

  private static Runnable inherited(Bound bound, Runnable task) {
    return () -> ScopedValue.where(BOUND, bound).run(task);
  }

  /** Whether the deadline leaves time for a call after this wait; true outside of a request. */
  boolean leavesTimeForCallAfter(Duration wait) {
    return !BOUND.isBound() || BOUND.get().leaves(wait.plus(longestCall));
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
    if (BOUND.isBound()) {
      BOUND.get().isTried().set(true);
    }
  }
}
