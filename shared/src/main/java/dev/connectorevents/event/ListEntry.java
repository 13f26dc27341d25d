package dev.connectorevents.event;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** What a list shows at one place. */
public sealed interface ListEntry {

  /** The most bytes of a page's payloads, as text inside a JSON string. */
  long MAX_PAYLOADS = 4 * 1024 * 1024;

  /**
   * An event and its sender.
   *
   * @param position in the feed; empty in a list that is not of the feed
   * @param userId the user whose connector sent it
   * @param payload the stored text, byte for byte; empty if it was not asked for, or can be in no
   *     page
   */
  record OfEvent(OptionalLong position, WebhookEvent event, UUID userId, Optional<String> payload)
      implements ListEntry {}

  /** At this position, the event with this id was erased. */
  record OfErasure(long position, UUID id, Instant erasedAt) implements ListEntry {}
}
