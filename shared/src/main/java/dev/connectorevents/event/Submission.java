package dev.connectorevents.event;

import java.util.Optional;
import java.util.UUID;

/**
 * An event on its way into the store.
 *
 * @param userId whose event it is
 * @param fingerprint of an event with an {@code Idempotency-Key}; no other event can meet one of
 *     the same id
 * @param body the text of the whole request
 */
public record Submission(
    WebhookEvent event,
    Payload payload,
    UUID userId,
    Optional<Fingerprint> fingerprint,
    String body) {

  /** Whether a stored event with that fingerprint is this one, sent before. */
  public boolean isSameAs(Fingerprint stored) {
    return switch (stored.version()) {
      case EVENT -> fingerprint.equals(Optional.of(stored));
      case BODY -> Fingerprint.ofBody(body).equals(stored);
    };
  }
}
