package dev.connectorevents.token;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.connectorevents.DependencyUnavailableException;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * The sentences that each {@link SigningKeyRotation} holds: the service's, and that of its tests.
 */
public abstract class SigningKeyRotationTest {

  private final String version = UUID.randomUUID().toString();

  /** The rotation of a secret that has one version, which is current. */
  protected abstract SigningKeyRotation rotation();

  @Test
  void a_version_has_no_key_until_one_is_stored_and_then_keeps_it() {
    String first = current();
    assertThat(rotation().state())
        .isEqualTo(new RotationState(true, Optional.of(first), Optional.empty()));
    assertThat(rotation().pending(version)).isEmpty();

    rotation().store(version, "the second key");
    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> rotation().store(version, "a third key"));

    assertThat(rotation().state())
        .isEqualTo(new RotationState(true, Optional.of(first), Optional.of(version)));
    SigningKey pending = rotation().pending(version).orElseThrow();
    assertThat(pending.id()).isEqualTo(version);
    assertThat(new String(pending.key().getEncoded(), UTF_8)).isEqualTo("the second key");
  }

  @Test
  void a_version_that_is_not_pending_has_no_pending_key() {
    assertThat(rotation().pending(current())).isEmpty();
  }

  @Test
  void the_pending_version_becomes_current() {
    rotation().store(version, "the second key");
    rotation().makeCurrent(version, current());

    assertThat(current()).isEqualTo(version);
  }

  @Test
  void no_version_becomes_current_after_another_than_the_caller_names() {
    String first = current();
    rotation().store(version, "the second key");

    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> rotation().makeCurrent(version, UUID.randomUUID().toString()));
    assertThat(current()).isEqualTo(first);
  }

  private String current() {
    return rotation().state().current().orElseThrow();
  }
}
