package dev.connectorevents.token;

import static dev.connectorevents.user.TestUsers.CONNECTOR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.Promise;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RememberedTokensTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final String TOKEN = "a.b.c";

  private final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
  private final InMemorySigningKeys keys = new InMemorySigningKeys();
  private final RememberedTokens remembered = new RememberedTokens(new KeyRing(keys, clock), clock);
  private final Instant now = clock.instant();
  private final Claims claims = claims("v1");

  private Claims claims(String keyId) {
    return new Claims("1", keyId, CONNECTOR.id(), CONNECTOR.email(), now, now.plus(HOUR), now);
  }

  @Test
  void a_token_that_was_added_is_found_by_its_whole_text() {
    remembered.add(TOKEN, claims, now);

    assertThat(remembered.find(TOKEN)).contains(claims);
    assertThat(remembered.find(TOKEN + "c")).isEmpty();
    assertThat(remembered.find("a.b.")).isEmpty();
    assertThat(remembered.find("A.b.c")).isEmpty();
  }

  @Test
  void it_is_forgotten_at_its_expiry_without_any_skew() {
    remembered.add(TOKEN, claims, now);

    clock.advance(HOUR.minusMillis(1));
    assertThat(remembered.find(TOKEN)).isPresent();
    clock.advance(Duration.ofMillis(1));
    assertThat(remembered.find(TOKEN)).isEmpty();
  }

  @Test
  void it_is_forgotten_with_its_key() {
    remembered.add(TOKEN, claims, now);

    keys.rotate("v2");
    clock.advance(KeyRing.MAX_AGE);
    assertThat(remembered.find(TOKEN)).as("the previous key still verifies").isPresent();
    keys.rotate("v3");
    clock.advance(KeyRing.MAX_AGE);
    assertThat(remembered.find(TOKEN)).isEmpty();
  }

  @Test
  void a_token_of_an_unknown_key_is_not_remembered() {
    remembered.add(TOKEN, claims("v0"), now);

    assertThat(remembered.find(TOKEN)).isEmpty();
  }

  @Test
  void it_is_checked_again_after_the_clock_was_set_back() {
    remembered.add(TOKEN, claims, now);

    clock.advance(Duration.ofMillis(-1));

    assertThat(remembered.find(TOKEN)).isEmpty();
  }

  @Test
  @Promise("It never lets a request pass unchecked.")
  void while_the_keys_cannot_be_read_no_token_passes() {
    remembered.add(TOKEN, claims, now);

    keys.fail(true);
    clock.advance(KeyRing.MAX_AGE);

    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> remembered.find(TOKEN));
  }

  @Test
  void the_oldest_makes_room_for_a_new_one() {
    for (int i = 0; i <= RememberedTokens.CAPACITY; i++) {
      remembered.add("token " + i, claims, now);
    }

    assertThat(remembered.find("token 0")).isEmpty();
    assertThat(remembered.find("token 1")).isPresent();
    assertThat(remembered.find("token " + RememberedTokens.CAPACITY)).isPresent();
  }
}
