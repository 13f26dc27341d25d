package dev.connectorevents.user;

import static dev.connectorevents.user.TestUsers.CONNECTOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.AdjustableClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RememberedUsersTest {

  private final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
  private final InMemoryUsers users = new InMemoryUsers();
  private final RememberedUsers remembered =
      new RememberedUsers(users, Duration.ofSeconds(5), clock);

  @Test
  void a_burst_costs_one_read() {
    users.put(CONNECTOR);

    for (int i = 0; i < 100; i++) {
      assertThat(remembered.find(CONNECTOR.email())).hasValue(CONNECTOR);
    }
    assertThat(users.reads()).isEqualTo(1);
  }

  @Test
  void a_change_is_seen_when_the_cached_user_expires() {
    users.put(CONNECTOR);
    remembered.find(CONNECTOR.email());
    users.put(TestUsers.disabled());

    clock.advance(Duration.ofMillis(4_999));
    assertThat(remembered.find(CONNECTOR.email())).hasValue(CONNECTOR);

    clock.advance(Duration.ofMillis(1));
    assertThat(remembered.find(CONNECTOR.email())).hasValue(TestUsers.disabled());
  }

  @Test
  void a_full_cache_drops_its_oldest_user() {
    for (int i = 0; i <= RememberedUsers.CAPACITY; i++) {
      remembered.find(new Email(i + "@example.com"));
    }
    remembered.find(new Email("1@example.com"));
    assertThat(users.reads()).isEqualTo(RememberedUsers.CAPACITY + 1);

    remembered.find(new Email("0@example.com"));
    assertThat(users.reads()).isEqualTo(RememberedUsers.CAPACITY + 2);
  }
}
