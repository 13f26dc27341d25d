package dev.connectorevents.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * The sentences that each store of {@link SigningKeys} holds: the service's, and that of its tests.
 */
public abstract class SigningKeysTest {

  private final String second = UUID.randomUUID().toString();
  private final String third = UUID.randomUUID().toString();

  /** A store that has one key, which is current. */
  protected abstract SigningKeys keys();

  /** Begins a rotation: the key with this id becomes pending. */
  protected abstract void prepare(String id);

  /** Ends the rotation: the pending key becomes current. */
  protected abstract void rotate(String id);

  @Test
  void before_the_first_rotation_no_key_is_previous_or_pending() {
    assertThat(keys().previous()).isEmpty();
    assertThat(keys().pending()).isEmpty();
  }

  @Test
  void during_a_rotation_the_new_key_is_pending_and_the_others_stay() {
    SigningKey first = keys().current();

    prepare(second);

    assertThat(keys().pending()).map(SigningKey::id).hasValue(second);
    assertThat(keys().current()).isEqualTo(first);
    assertThat(keys().previous()).isEmpty();
  }

  @Test
  @Promise("the VersionId of the signing key in Secrets Manager")
  void a_rotation_makes_the_pending_key_current_and_the_current_one_previous() {
    SigningKey first = keys().current();
    prepare(second);
    SigningKey pending = keys().pending().orElseThrow();

    rotate(second);

    assertThat(keys().current()).isEqualTo(pending);
    assertThat(keys().previous()).hasValue(first);
    assertThat(keys().pending()).as("until the next rotation").hasValue(pending);
  }

  @Test
  void the_next_rotation_replaces_the_previous_key() {
    prepare(second);
    rotate(second);
    prepare(third);

    assertThat(keys().current().id()).isEqualTo(second);
    assertThat(keys().pending()).map(SigningKey::id).hasValue(third);
    rotate(third);
    assertThat(keys().previous()).map(SigningKey::id).hasValue(second);
  }
}
