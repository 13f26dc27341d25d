package dev.connectorevents.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.connectorevents.AdjustableClock;
import org.junit.jupiter.api.Test;

class KeyRingTest {

  private final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
  private final InMemorySigningKeys keys = new InMemorySigningKeys();
  private final KeyRing ring = new KeyRing(keys, clock);

  @Test
  void signing_and_verifying_with_the_current_key_costs_one_read() {
    for (int i = 0; i < 100; i++) {
      assertThat(ring.signing().id()).isEqualTo("v1");
      assertThat(ring.verifying("v1")).isPresent();
    }
    assertThat(keys.reads()).isEqualTo(1);
  }

  @Test
  void a_rotation_is_noticed_as_soon_as_a_token_names_the_new_key() {
    ring.signing();
    keys.rotate("v2");

    assertThat(ring.verifying("v2")).isPresent();
    assertThat(ring.verifying("v1")).isPresent();
    assertThat(ring.signing().id()).isEqualTo("v2");
  }

  @Test
  void a_rotation_is_noticed_when_the_keys_are_old() {
    ring.signing();
    keys.rotate("v2");

    clock.advance(KeyRing.MAX_AGE);

    assertThat(ring.signing().id()).isEqualTo("v2");
  }

  @Test
  void the_key_from_two_rotations_ago_verifies_nothing() {
    keys.rotate("v2");
    assertThat(ring.verifying("v1")).isPresent();

    keys.rotate("v3");
    clock.advance(KeyRing.MAX_AGE);

    assertThat(ring.verifying("v1")).isEmpty();
    assertThat(ring.verifying("v2")).isPresent();
  }

  @Test
  void forged_names_cost_a_few_reads_in_a_few_seconds() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(ring.verifying("forged-" + i)).isEmpty();
    }
    assertThat(keys.reads()).isLessThanOrEqualTo(4); // two keys, twice

    clock.advance(KeyRing.UNKNOWN_KEY_PAUSE);
    for (int i = 0; i < 1_000; i++) {
      ring.verifying("forged-" + i);
    }
    assertThat(keys.reads()).isLessThanOrEqualTo(6);
  }

  @Test
  void a_store_that_fails_costs_no_key_that_is_known() {
    ring.signing();
    keys.fail(true);

    assertThatIllegalStateException().isThrownBy(() -> ring.verifying("forged"));
    assertThat(ring.verifying("v1")).isPresent();
    assertThat(ring.signing().id()).isEqualTo("v1");
  }

  @Test
  void an_old_key_that_cannot_be_read_again_is_not_trusted() {
    ring.signing();
    keys.fail(true);
    clock.advance(KeyRing.MAX_AGE);

    assertThatIllegalStateException().isThrownBy(() -> ring.verifying("v1"));
  }

  @Test
  void forged_names_do_not_disturb_those_that_are_known() {
    ring.verifying("forged");

    assertThat(ring.verifying("v1")).isPresent();
  }
}
