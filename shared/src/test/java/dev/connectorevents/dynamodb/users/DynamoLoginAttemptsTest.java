package dev.connectorevents.dynamodb.users;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.LoginAttempts;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class DynamoLoginAttemptsTest {

  private static final Optional<Duration> ALLOWED = Optional.empty();

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));

  private final String here = UUID.randomUUID().toString();
  private final Email email = new Email(UUID.randomUUID() + "@example.com");

  /** A time far in the future, so that DynamoDB deletes no item as expired during the test. */
  private Instant now = Instant.parse("2100-01-01T00:00:00Z");

  private final InstantSource clock = () -> now;
  private LoginAttempts attempts;

  @BeforeEach
  void count() {
    attempts = new DynamoLoginAttempts(service.dynamoDb(), table(), clock);
  }

  @Test
  void after_ten_failures_the_source_has_to_wait_a_quarter_of_an_hour() {
    fail(10, here);

    assertThat(attempts.toWait(email, here)).hasValue(Duration.ofMinutes(15));
    now = now.plusSeconds(899);
    assertThat(attempts.toWait(email, here)).hasValue(Duration.ofSeconds(1));
    now = now.plusSeconds(1);
    assertThat(attempts.toWait(email, here)).isEqualTo(ALLOWED);
  }

  @Test
  void a_new_count_begins_where_the_old_one_is_over() {
    for (int round = 0; round < 2; round++) {
      fail(LoginAttempts.MAX_FAILURES, here);
      assertThat(attempts.toWait(email, here)).isPresent();
      now = now.plus(LoginAttempts.WINDOW);
    }
  }

  @Test
  void other_sources_and_other_addresses_need_not_wait() {
    fail(LoginAttempts.MAX_FAILURES, here);

    assertThat(attempts.toWait(email, "192.0.2.2")).isEqualTo(ALLOWED);
    assertThat(attempts.toWait(new Email("x" + email), here)).isEqualTo(ALLOWED);
  }

  @Test
  void a_success_clears_the_count() {
    for (int round = 0; round < 2; round++) {
      fail(LoginAttempts.MAX_FAILURES - 1, here);
      assertThat(attempts.succeeded(email, here)).isEqualTo(ALLOWED);
    }
    assertThat(attempts.toWait(email, here)).isEqualTo(ALLOWED);
  }

  @Test
  void successes_are_never_counted() {
    failedBefore(email.value(), "", LoginAttempts.MAX_FAILURES_AT_ADDRESS - 1);
    failedBefore("", here, LoginAttempts.MAX_FAILURES_FROM_SOURCE - 1);

    assertThat(attempts.succeeded(email, here)).isEqualTo(ALLOWED);
    assertThat(attempts.succeeded(email, "198.51.100.1")).isEqualTo(ALLOWED);
    assertThat(attempts.toWait(email, "198.51.100.2")).isEqualTo(ALLOWED);
    assertThat(attempts.toWait(new Email("another." + email), here)).isEqualTo(ALLOWED);
  }

  @Test
  void failures_from_many_sources_stop_them_all_but_one_that_logged_in_lately() {
    attempts.succeeded(email, here);
    now = now.plus(Duration.ofDays(30)).minusSeconds(1);
    failedBefore(email.value(), "", LoginAttempts.MAX_FAILURES_AT_ADDRESS - 10);
    for (int source = 0; source < 10; source++) {
      assertThat(attempts.toWait(email, "198.51.100.99")).isEqualTo(ALLOWED);
      fail(1, "198.51.100." + source);
    }

    assertThat(attempts.toWait(email, "198.51.100.99")).isPresent();
    fail(LoginAttempts.MAX_FAILURES, here);
    assertThat(attempts.toWait(email, here)).as("a familiar source also has a limit").isPresent();

    now = now.plus(LoginAttempts.WINDOW);
    assertThat(attempts.toWait(email, "198.51.100.99")).isEqualTo(ALLOWED);
  }

  @Test
  void a_success_from_a_new_source_is_not_told_where_the_address_is_at_its_limit() {
    failedBefore(email.value(), "", LoginAttempts.MAX_FAILURES_AT_ADDRESS);

    assertThat(attempts.succeeded(email, here)).isPresent();
  }

  @Test
  void a_count_lasts_though_the_source_was_familiar_a_long_time_ago() {
    attempts.succeeded(email, here);
    now = now.plus(LoginAttempts.FAMILIAR).plusSeconds(1);
    fail(LoginAttempts.MAX_FAILURES, here);

    long seconds = now.getEpochSecond();
    assertThat(service.dynamoDb().scanPaginator(all -> all.tableName(table())).items())
        .filteredOn(item -> number(item, "ends_at") > seconds)
        .isNotEmpty()
        .allMatch(item -> number(item, "expires_at") > seconds);
  }

  private static long number(Map<String, AttributeValue> item, String name) {
    return new Item(item).number(name, 0);
  }

  private static String table() {
    return service.name("LoginAttemptsTable");
  }

  @Test
  void failures_at_many_addresses_stop_a_source_but_where_it_logged_in_lately() {
    String source = UUID.randomUUID().toString();
    attempts.succeeded(email, source);
    failedBefore("", source, LoginAttempts.MAX_FAILURES_FROM_SOURCE - 10);
    for (int i = 0; i < 10; i++) {
      assertThat(attempts.toWait(new Email("another." + email), source)).isEqualTo(ALLOWED);
      assertThat(attempts.failed(new Email(i + "." + email), source)).isEqualTo(ALLOWED);
    }

    assertThat(attempts.toWait(new Email("another." + email), source)).isPresent();
    assertThat(attempts.toWait(new Email("another." + email), here)).isEqualTo(ALLOWED);
    assertThat(attempts.toWait(email, source)).isEqualTo(ALLOWED);
  }

  @Test
  void of_a_burst_of_failures_no_more_are_answered_than_of_as_many_in_a_row()
      throws InterruptedException {
    assertThat(burst(() -> attempts.failed(email, here)).filter(Optional::isEmpty))
        .hasSize(LoginAttempts.MAX_FAILURES);
  }

  @Test
  void a_burst_of_successes_is_answered_whole() throws InterruptedException {
    fail(LoginAttempts.MAX_FAILURES - 1, here);

    assertThat(burst(() -> attempts.succeeded(email, here))).containsOnly(ALLOWED);
  }

  @Test
  void a_success_is_not_told_where_others_have_used_up_what_is_allowed() {
    fail(LoginAttempts.MAX_FAILURES, here);

    assertThat(attempts.succeeded(email, here)).isPresent();
    assertThat(attempts.toWait(email, here)).as("the success does not clear the count").isPresent();
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

  /**
   * Stores the count that this many failures leave. Counting each failure would take three calls of
   * DynamoDB.
   */
  private void failedBefore(String address, String source, int failures) {
    Item count =
        new Item()
            .put("id", DynamoLoginAttempts.key(address, source))
            .put("failures", failures)
            .put("ends_at", now.plus(LoginAttempts.WINDOW).getEpochSecond())
            .put("expires_at", now.plus(LoginAttempts.FAMILIAR).getEpochSecond());
    service.dynamoDb().putItem(put -> put.tableName(table()).item(count.attributes()));
  }

  private void fail(int times, String source) {
    for (int i = 0; i < times; i++) {
      assertThat(attempts.failed(email, source)).isEqualTo(ALLOWED);
    }
  }
}
