package dev.connectorevents.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.Promise;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyRingTest {

  private final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
  private final InMemorySigningKeys keys = new InMemorySigningKeys();
  private final KeyRing ring = new KeyRing(keys, clock);

  @Test
  @Promise("A function caches the keys for 5 minutes to verify tokens")
  void signing_and_verifying_with_the_current_key_costs_one_read() {
    for (int i = 0; i < 100; i++) {
      assertThat(ring.signing().id()).isEqualTo("v1");
      assertThat(ring.verifying("v1")).isPresent();
    }
    assertThat(keys.reads()).isEqualTo(1);
  }

  @Test
  void a_key_that_was_read_ahead_is_not_read_again() {
    ring.readAhead();
    ring.readAhead();

    assertThat(ring.verifying("v1")).isPresent();
    assertThat(keys.reads()).isEqualTo(1);
  }

  @Test
  void a_failure_to_read_ahead_is_that_of_the_next_call() {
    keys.fail(true);

    ring.readAhead();

    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> ring.verifying("v1"));
    assertThat(keys.reads()).isEqualTo(1);
  }

  @Test
  void a_token_that_names_the_new_key_makes_the_ring_notice_a_rotation() {
    ring.signing();
    keys.rotate("v2");

    assertThat(ring.verifying("v2")).isPresent();
    assertThat(ring.verifying("v1")).isPresent();
    assertThat(ring.signing().id()).isEqualTo("v2");
  }

  @Test
  void a_key_signs_for_some_seconds_after_a_rotation() {
    ring.signing();
    keys.rotate("v2");

    clock.advance(KeyRing.MAX_SIGNING_AGE.minusMillis(1));
    assertThat(ring.signing().id()).isEqualTo("v1");

    clock.advance(Duration.ofMillis(1));
    assertThat(ring.signing().id()).isEqualTo("v2");
  }

  @Test
  void signing_costs_one_read_in_some_seconds_also_while_tokens_of_the_previous_key_arrive() {
    keys.rotate("v2");
    ring.verifying("v1");
    int reads = keys.reads();

    for (int seconds = 0; seconds < 60; seconds++) {
      clock.advance(Duration.ofSeconds(1));
      assertThat(ring.verifying("v1")).isPresent();
      ring.signing();
    }

    assertThat(keys.reads() - reads).isEqualTo(60 / KeyRing.MAX_SIGNING_AGE.toSeconds());
  }

  /** One ring signs, as at login. The other ring verifies, as in the functions for events. */
  @Test
  void no_token_signed_around_two_rotations_in_a_row_is_refused() {
    KeyRing verifiers = new KeyRing(keys, clock);
    for (int second = 0; second < 600; second++) {
      switch (second) {
        case 54 -> keys.prepare("v2");
        case 60 -> keys.rotate("v2");
        case 66 -> keys.prepare("v3");
        case 72 -> keys.rotate("v3");
        default -> {}
      }
      String signed = ring.signing().id();
      assertThat(verifiers.verifying(signed)).as("%s at %d s", signed, second).isPresent();
      assertThat(new KeyRing(keys, clock).verifying(signed)).isPresent();
      verifiers.verifying("forged");
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(ring.signing().id()).isEqualTo("v3");
  }

  @Test
  void keys_from_before_the_clock_was_set_back_are_read_again() {
    keys.rotate("v2");
    ring.verifying("v1");
    clock.advance(Duration.ofMinutes(-10));
    keys.rotate("v3");

    assertThat(ring.verifying("v1")).isEmpty();
    assertThat(ring.verifying("v3")).isPresent();
    assertThat(ring.signing().id()).isEqualTo("v3");
  }

  @Test
  void no_pause_outlasts_a_clock_that_is_set_back() {
    ring.verifying("forged");
    keys.rotate("v2");
    clock.advance(Duration.ofMinutes(-10));
    assertThat(ring.verifying("v2")).isPresent();

    keys.fail(true);
    assertUnavailable(() -> ring.verifying("v3"));
    keys.fail(false);
    keys.rotate("v3");
    clock.advance(Duration.ofMinutes(-10));
    assertThat(ring.verifying("v3")).isPresent();
  }

  @Test
  void a_key_that_was_previous_is_forgotten_with_the_key_that_followed_it() {
    keys.rotate("v2");
    ring.signing();
    clock.advance(Duration.ofMinutes(1));
    assertThat(ring.verifying("v1")).as("read a minute after the current key").isPresent();

    keys.rotate("v3");
    clock.advance(KeyRing.MAX_AGE.minusMinutes(1));

    assertThat(ring.verifying("v1")).isEmpty();
  }

  @Test
  @Promise("it reads the keys again, at most once in 5 seconds.")
  void forged_key_ids_cost_a_few_reads_in_a_few_seconds() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(ring.verifying("forged-" + i)).isEmpty();
    }
    assertThat(keys.reads()).isLessThanOrEqualTo(5); // first current and previous, then all three

    clock.advance(KeyRing.READ_PAUSE);
    for (int i = 0; i < 1_000; i++) {
      ring.verifying("forged-" + i);
    }
    assertThat(keys.reads()).isLessThanOrEqualTo(8);
  }

  @Test
  void cached_keys_stay_usable_while_the_store_fails() {
    ring.signing();
    keys.fail(true);

    assertUnavailable(() -> ring.verifying("forged"));
    assertThat(ring.verifying("v1")).isPresent();
    assertThat(ring.signing().id()).isEqualTo("v1");
  }

  @Test
  void an_expired_key_that_cannot_be_read_again_is_not_trusted() {
    ring.signing();
    keys.fail(true);
    clock.advance(KeyRing.MAX_AGE);

    assertUnavailable(() -> ring.verifying("v1"));
  }

  @Test
  void two_rotations_under_a_flood_of_forged_key_ids_refuse_no_token() {
    String[] ids = {"v1", "v2", "v3"};
    for (int i = 1; i < ids.length; i++) {
      flood(Duration.ofSeconds(7));
      keys.prepare(ids[i]);
      flood(KeyRing.TIME_TO_LEARN);
      keys.rotate(ids[i]);
      assertThat(ring.verifying(ids[i])).as(ids[i]).isPresent();
      assertThat(ring.verifying(ids[i - 1])).as(ids[i - 1]).isPresent();
    }
    flood(KeyRing.READ_PAUSE);
    assertThat(ring.verifying("v1")).isEmpty();
  }

  @Test
  @Promise("verifies if it is as strong, but does not sign yet")
  void a_key_that_stays_pending_never_signs() {
    keys.prepare("v2");
    ring.verifying("v2");
    clock.advance(KeyRing.MAX_AGE);

    assertThat(ring.signing().id()).isEqualTo("v1");
  }

  @Test
  void a_failing_store_is_not_called_again_during_a_pause_and_no_key_becomes_unknown() {
    ring.verifying("v0");
    clock.advance(KeyRing.READ_PAUSE);
    keys.rotate("v2");
    keys.fail(true);
    int reads = keys.reads();

    for (int i = 0; i < 100; i++) {
      assertUnavailable(() -> ring.verifying("v2"));
    }

    assertThat(keys.reads()).isEqualTo(reads + 1);
    keys.fail(false);
    clock.advance(KeyRing.READ_PAUSE);
    assertThat(ring.verifying("v2")).isPresent();
  }

  @Test
  void a_failing_store_is_called_once_in_a_pause_even_if_no_key_is_cached() {
    keys.fail(true);

    for (int i = 0; i < 100; i++) {
      assertUnavailable(ring::signing);
      assertUnavailable(() -> ring.verifying("v1"));
    }

    assertThat(keys.reads()).isEqualTo(1);
    keys.fail(false);
    clock.advance(KeyRing.READ_PAUSE);
    assertThat(ring.verifying("v1")).isPresent();
    assertThat(ring.signing().id()).isEqualTo("v1");
  }

  @Test
  void a_store_that_fails_amid_a_look_up_makes_no_key_unknown() {
    ring.verifying("forged");
    clock.advance(KeyRing.READ_PAUSE);
    keys.prepare("v2");
    int reads = keys.reads();
    keys.beforeRead(() -> keys.fail(keys.reads() > reads + 1)); // only the first read succeeds

    for (int i = 0; i < 2; i++) {
      assertUnavailable(() -> ring.verifying("v3"));
    }
  }

  @Test
  void a_key_id_that_came_while_the_store_failed_is_looked_up_after_the_pause() {
    ring.signing();
    keys.rotate("v2");
    keys.fail(true);
    assertUnavailable(() -> ring.verifying("v0"));
    clock.advance(Duration.ofSeconds(1));
    assertUnavailable(() -> ring.verifying("v2"));
    keys.fail(false);

    clock.advance(KeyRing.READ_PAUSE.minusSeconds(1));

    assertThat(ring.verifying("v2")).isPresent();
  }

  @ParameterizedTest
  @CsvSource({
    "abcdefghijklmnopqrstu, 64, true",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789, 64, true",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789, 63, false",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789, 65, false",
    "abcdefghijklmnopqrst, 64, false",
    "abcdefghijklmnopqrstuvwxyz-, 64, false",
    "a, 64, false",
  })
  void a_pending_key_verifies_only_if_it_is_strong(
      String characters, int length, boolean verifies) {
    keys.prepare("v2", characters.repeat(length).substring(0, length));

    assertThat(ring.verifying("v2").isPresent()).isEqualTo(verifies);
  }

  private static void assertUnavailable(ThrowingCallable call) {
    assertThatExceptionOfType(DependencyUnavailableException.class).isThrownBy(call);
  }

  private void flood(Duration duration) {
    for (long millis = 0; millis < duration.toMillis(); millis += 100) {
      assertThat(ring.verifying("forged-" + millis)).isEmpty();
      clock.advance(Duration.ofMillis(100));
    }
  }
}
