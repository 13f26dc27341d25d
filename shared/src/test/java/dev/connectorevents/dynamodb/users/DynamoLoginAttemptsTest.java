package dev.connectorevents.dynamodb.users;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.LoginAttempts;
import dev.connectorevents.user.LoginAttemptsTest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class DynamoLoginAttemptsTest extends LoginAttemptsTest {

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));

  /** A time far in the future, so that DynamoDB deletes no item as expired during the test. */
  private Instant now = Instant.parse("2100-01-01T00:00:00Z");

  private final InstantSource clock = () -> now;
  private final LoginAttempts attempts =
      new DynamoLoginAttempts(service.dynamoDb(), table(), clock);

  @Override
  protected LoginAttempts attempts() {
    return attempts;
  }

  @Test
  @Promise("A count ends 15 minutes after its last failure.")
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
  void successes_are_never_counted() {
    failedBefore(email.value(), "", LoginAttempts.MAX_FAILURES_AT_ADDRESS - 1);
    failedBefore("", here, LoginAttempts.MAX_FAILURES_FROM_SOURCE - 1);

    assertThat(attempts.succeeded(email, here)).isEqualTo(ALLOWED);
    assertThat(attempts.succeeded(email, "198.51.100.1")).isEqualTo(ALLOWED);
    assertThat(attempts.toWait(email, "198.51.100.2")).isEqualTo(ALLOWED);
    assertThat(attempts.toWait(new Email("another." + email), here)).isEqualTo(ALLOWED);
  }

  @Test
  @Promise("A source that has logged in with the address during the last 30 days is exempt")
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
  @Promise("Two wider limits allow 100 failures each")
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
}
