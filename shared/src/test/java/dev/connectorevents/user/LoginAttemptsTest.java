package dev.connectorevents.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The sentences about one source at one address, which each store of {@link LoginAttempts} holds:
 * the service's, and that of its tests. Only the service's knows the wider limits, and forgets.
 */
public abstract class LoginAttemptsTest {

  protected static final Optional<Duration> ALLOWED = Optional.empty();

  protected final String here = UUID.randomUUID().toString();
  protected final Email email = new Email(UUID.randomUUID() + "@example.com");

  protected abstract LoginAttempts attempts();

  @Test
  void other_sources_and_other_addresses_need_not_wait() {
    fail(LoginAttempts.MAX_FAILURES, here);

    assertThat(attempts().toWait(email, "192.0.2.2")).isEqualTo(ALLOWED);
    assertThat(attempts().toWait(new Email("x" + email), here)).isEqualTo(ALLOWED);
  }

  @Test
  @Promise("A successful login clears the count of its address and source")
  void a_success_clears_the_count() {
    for (int round = 0; round < 2; round++) {
      fail(LoginAttempts.MAX_FAILURES - 1, here);
      assertThat(attempts().succeeded(email, here)).isEqualTo(ALLOWED);
    }
    assertThat(attempts().toWait(email, here)).isEqualTo(ALLOWED);
  }

  @Test
  void of_a_burst_of_failures_no_more_are_answered_than_of_as_many_in_a_row()
      throws InterruptedException {
    assertThat(burst(() -> attempts().failed(email, here)).filter(Optional::isEmpty))
        .hasSize(LoginAttempts.MAX_FAILURES);
  }

  @Test
  void a_burst_of_successes_is_answered_whole() throws InterruptedException {
    fail(LoginAttempts.MAX_FAILURES - 1, here);

    assertThat(burst(() -> attempts().succeeded(email, here))).containsOnly(ALLOWED);
  }

  @Test
  void a_success_is_not_told_where_others_have_used_up_what_is_allowed() {
    fail(LoginAttempts.MAX_FAILURES, here);

    assertThat(attempts().succeeded(email, here)).isPresent();
    assertThat(attempts().toWait(email, here))
        .as("the success does not clear the count")
        .isPresent();
  }

  private static Stream<Optional<Duration>> burst(Callable<Optional<Duration>> attempt)
      throws InterruptedException {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      return executor
          .invokeAll(Collections.nCopies(2 * LoginAttempts.MAX_FAILURES, attempt))
          .stream()
          .map(Future::resultNow);
    }
  }

  protected final void fail(int times, String source) {
    for (int i = 0; i < times; i++) {
      assertThat(attempts().failed(email, source)).isEqualTo(ALLOWED);
    }
  }
}
