package dev.connectorevents.aws;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.local.LocalOptions;
import dev.connectorevents.local.LocalService;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.LoginAttempts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The count of login attempts on DynamoDB Local, in the table that the template describes. */
class DynamoLoginAttemptsTest {

  private static final String HERE = "192.0.2.1";
  private static final Optional<Duration> ALLOWED = Optional.empty();

  private static LocalService service;

  private final Email email = new Email(UUID.randomUUID() + "@example.com");

  /** Ahead of the time at which DynamoDB deletes what has expired. */
  private Instant now = Instant.parse("2100-01-01T00:00:00Z");

  private final InstantSource clock = () -> now;
  private LoginAttempts attempts;

  @BeforeAll
  static void start() throws IOException {
    service = LocalService.start(LocalOptions.inMemory(Path.of("../template.yaml")));
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @BeforeEach
  void count() {
    attempts = new DynamoLoginAttempts(service.dynamoDb(), "LoginAttemptsTable", clock);
  }

  @Test
  void the_eleventh_attempt_has_to_wait_a_quarter_of_an_hour() {
    attempt(LoginAttempts.MAX_PER_SOURCE, HERE);

    assertThat(attempts.begin(email, HERE)).hasValue(Duration.ofMinutes(15));
    now = now.plusSeconds(899);
    assertThat(attempts.begin(email, HERE)).hasValue(Duration.ofSeconds(1));
    now = now.plusSeconds(1);
    assertThat(attempts.begin(email, HERE)).isEqualTo(ALLOWED);
  }

  @Test
  void a_new_count_begins_where_the_old_one_is_over() {
    for (int round = 0; round < 3; round++) {
      attempt(LoginAttempts.MAX_PER_SOURCE, HERE);
      assertThat(attempts.begin(email, HERE)).isPresent();
      now = now.plus(LoginAttempts.WINDOW);
    }
  }

  @Test
  void other_sources_and_other_addresses_need_not_wait() {
    attempt(LoginAttempts.MAX_PER_SOURCE, HERE);

    assertThat(attempts.begin(email, "192.0.2.2")).isEqualTo(ALLOWED);
    assertThat(attempts.begin(new Email("x" + email), HERE)).isEqualTo(ALLOWED);
  }

  @Test
  void a_success_clears_the_count() {
    for (int round = 0; round < 3; round++) {
      attempt(LoginAttempts.MAX_PER_SOURCE, HERE);
      attempts.succeeded(email, HERE);
    }
    assertThat(attempts.begin(email, HERE)).isEqualTo(ALLOWED);
  }

  @Test
  void many_sources_together_have_to_wait_but_not_one_that_logged_in_lately() {
    attempts.succeeded(email, HERE);
    for (int source = 0; source < 10; source++) {
      attempt(LoginAttempts.MAX_PER_ADDRESS / 10, "198.51.100." + source);
    }

    assertThat(attempts.begin(email, "198.51.100.99")).isPresent();
    attempt(LoginAttempts.MAX_PER_SOURCE, HERE);
    assertThat(attempts.begin(email, HERE)).as("familiar, but guessing").isPresent();

    now = now.plus(LoginAttempts.WINDOW);
    assertThat(attempts.begin(email, "198.51.100.99")).isEqualTo(ALLOWED);
  }

  @Test
  void a_burst_cannot_slip_through_between_check_and_count() throws InterruptedException {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Optional<Duration>> attempt = () -> attempts.begin(email, HERE);
      List<Future<Optional<Duration>>> burst =
          executor.invokeAll(IntStream.range(0, 50).mapToObj(i -> attempt).toList());

      assertThat(burst.stream().map(Future::resultNow).filter(Optional::isEmpty))
          .hasSize(LoginAttempts.MAX_PER_SOURCE);
    }
  }

  private void attempt(int times, String source) {
    for (int i = 0; i < times; i++) {
      assertThat(attempts.begin(email, source)).isEqualTo(ALLOWED);
    }
  }
}
