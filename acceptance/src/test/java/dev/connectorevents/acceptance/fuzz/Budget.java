package dev.connectorevents.acceptance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The CPU time and the memory that the parsing of one input may take. */
final class Budget {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long MOST_BYTES = 16 << 20;
  private static final long MOST_BYTES_PER_BYTE = 20;
  private static final Duration LONGEST = Duration.ofSeconds(2);

  private Budget() {}

  /**
   * Runs {@code reading}, which parses the input. Fails if it throws an exception, or exceeds the
   * budget twice.
   */
  static void spend(byte[] input, ThrowingCallable reading) {
    spend(input, MOST_BYTES_PER_BYTE, reading);
  }

  /** As {@link #spend(byte[], ThrowingCallable)}, with this memory for each byte of the input. */
  static void spend(byte[] input, long mostBytesPerByte, ThrowingCallable reading) {
    long most = MOST_BYTES + mostBytesPerByte * input.length;
    Spent spent = measure(reading);
    if (spent.time().compareTo(LONGEST) > 0 || spent.bytes() > most) {
      spent = measure(reading); // the first run also loads classes
    }
    assertThat(spent.time()).isLessThan(LONGEST);
    assertThat(spent.bytes()).isLessThan(most);
  }

  /**
   * What the parsing of an input has used.
   *
   * @param time the CPU time of its thread: other tests do not add to it
   * @param bytes the bytes that its thread has allocated
   */
  private record Spent(Duration time, long bytes) {}

  private static Spent measure(ThrowingCallable reading) {
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    long start = THREADS.getCurrentThreadCpuTime();
    try {
      reading.call();
    } catch (Throwable e) {
      throw new AssertionError("the input caused an exception instead of a refusal", e);
    }
    return new Spent(
        Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - start),
        THREADS.getCurrentThreadAllocatedBytes() - allocated);
  }
}
