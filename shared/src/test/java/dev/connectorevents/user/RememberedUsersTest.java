package dev.connectorevents.user;

import static dev.connectorevents.user.TestUsers.CONNECTOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.Promise;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RememberedUsersTest {

  private final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
  private final InMemoryUsers users = new InMemoryUsers();
  private final RememberedUsers remembered =
      new RememberedUsers(users, Duration.ofSeconds(5), clock);

  @Test
  @Promise("each function instance caches a user for that time")
  void a_change_is_seen_when_the_cached_user_expires() {
    users.put(CONNECTOR);
    find();
    users.put(TestUsers.disabled());

    clock.advance(Duration.ofMillis(4_999));
    assertThat(find()).hasValue(CONNECTOR);

    clock.advance(Duration.ofMillis(1));
    assertThat(find()).hasValue(TestUsers.disabled());
  }

  @Test
  void a_cached_user_that_does_not_suffice_is_read_again() {
    users.put(TestUsers.disabled());
    assertThat(remembered.find(CONNECTOR.email(), User::isActive)).hasValue(TestUsers.disabled());

    users.put(CONNECTOR);

    assertThat(remembered.find(CONNECTOR.email(), User::isActive)).hasValue(CONNECTOR);
    assertThat(remembered.find(CONNECTOR.email(), User::isActive)).hasValue(CONNECTOR);
    assertThat(users.reads()).isEqualTo(2);
  }

  @Test
  void a_user_from_before_the_clock_was_set_back_is_read_again() {
    users.put(CONNECTOR);
    find();
    users.put(TestUsers.disabled());

    clock.advance(Duration.ofMillis(-1));

    assertThat(find()).hasValue(TestUsers.disabled());
  }

  @Test
  void an_address_without_a_user_is_not_cached() {
    assertThat(find()).isEmpty();

    users.put(CONNECTOR);

    assertThat(find()).hasValue(CONNECTOR);
  }

  private Optional<User> find() {
    return remembered.find(CONNECTOR.email(), user -> true);
  }

  @Test
  void a_full_cache_drops_its_oldest_user() {
    for (int i = 0; i <= RememberedUsers.CAPACITY; i++) {
      users.put(TestUsers.user(i + "@example.com"));
      remembered.find(new Email(i + "@example.com"), it -> true);
    }
    remembered.find(new Email("1@example.com"), it -> true);
    assertThat(users.reads()).isEqualTo(RememberedUsers.CAPACITY + 1);

    remembered.find(new Email("0@example.com"), it -> true);
    assertThat(users.reads()).isEqualTo(RememberedUsers.CAPACITY + 2);
  }
}
