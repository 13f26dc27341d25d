package dev.connectorevents.functions.resilience;

import static java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME;

import dev.connectorevents.event.Events;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Compares this machine's clock with the {@code Date} of each answer, and notes a difference of
 * more than {@link Events#CLOCK_SKEW}: lists and feeds rely on it.
 *
 * <p>A {@code Date} is a whole second, which the server wrote at some time between the request and
 * its answer. So the difference is noted only as far as it is certain.
 */
public final class ClockCheck implements ExecutionInterceptor {

  private final InstantSource clock;

  /** When this thread has sent its request: it waits for the answer. */
  private final ThreadLocal<Instant> sent;

  /**
   * @param clock the machine's own
   */
  public ClockCheck(InstantSource clock) {
    this.clock = clock;
    this.sent = ThreadLocal.withInitial(clock::instant);
  }

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    sent.set(clock.instant());
  }

  @Override
  public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
    Instant received = clock.instant();
    context
        .httpResponse()
        .firstMatchingHeader("Date")
        .ifPresent(date -> compare(date, sent.get(), received));
  }

  private static void compare(String date, Instant asked, Instant received) {
    try {
      Instant answered = RFC_1123_DATE_TIME.parse(date, Instant::from);
      Duration fast = Duration.between(answered.plusSeconds(1), asked);
      Duration slow = Duration.between(received, answered);
      if (fast.compareTo(Events.CLOCK_SKEW) > 0) {
        RequestDeadline.notes().clockSkew(fast);
      } else if (slow.compareTo(Events.CLOCK_SKEW) > 0) {
        RequestDeadline.notes().clockSkew(slow.negated());
      }
    } catch (DateTimeException e) {
      // It tells nothing, and is no reason to fail the call.
    }
  }
}
