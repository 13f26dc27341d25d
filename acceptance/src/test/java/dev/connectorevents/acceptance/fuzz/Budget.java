package dev.connectorevents.acceptance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What reading one input may cost. */
final class Budget {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long MOST_BYTES = 16 << 20;
  private static final long MOST_BYTES_PER_BYTE = 20;
  private static final Duration LONGEST = Duration.ofSeconds(2);

  private Budget() {}

  /** Runs what reads an input. It may not throw, take long, or allocate much. */
  static void spend(byte[] input, ThrowingCallable reading) {
    long most = MOST_BYTES + MOST_BYTES_PER_BYTE * input.length;
    Spent spent = measure(reading);
    if (spent.time().compareTo(LONGEST) > 0 || spent.bytes() > most) {
      spent = measure(reading); // the first time, it also loads classes
    }
    assertThat(spent.time()).isLessThan(LONGEST);
    assertThat(spent.bytes()).isLessThan(most);
  }

  /**
   * What one thread has spent.
   *
   * @param time of the CPU: other tests do not count
   */
  private record Spent(Duration time, long bytes) {}

  private static Spent measure(ThrowingCallable reading) {
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    long start = THREADS.getCurrentThreadCpuTime();
    try {
      reading.call();
    } catch (Throwable e) {
      throw new AssertionError("the input was not refused, but made an exception", e);
    }
    return new Spent(
        Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - start),
        THREADS.getCurrentThreadAllocatedBytes() - allocated);
  }
}
