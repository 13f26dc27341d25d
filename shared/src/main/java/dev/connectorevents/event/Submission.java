package dev.connectorevents.event;

import java.util.Optional;
import java.util.UUID;

/**
 * All that {@link Events} needs to store an event once.
 *
 * @param event the event without its payload
 * @param payload the payload to store
 * @param userId the user who sent the event
 * @param fingerprint of an event with an {@code Idempotency-Key}; empty without one, since no other
 *     event can then have the same id
 * @param body the whole body of the request, to compare it with a stored {@link
 *     Fingerprint.Version#BODY}. An event of a batch has no body of its own: empty, and never the
 *     same as an event that was stored with such a fingerprint
 */
public record Submission(
    WebhookEvent event,
    Payload payload,
    UUID userId,
    Optional<Fingerprint> fingerprint,
    Optional<String> body) {

  /** Whether a stored event with this fingerprint is the same event, sent before. */
  public boolean isSameAs(Fingerprint stored) {
    return switch (stored.version()) {
      case EVENT -> fingerprint.equals(Optional.of(stored));
      case BODY -> body.map(Fingerprint::ofBody).equals(Optional.of(stored));
    };
  }
}
