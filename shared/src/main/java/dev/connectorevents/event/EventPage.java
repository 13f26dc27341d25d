package dev.connectorevents.event;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * One page of a list of events.
 *
 * @param entries may be fewer than asked for, even none, even if more pages follow
 * @param next where the next page begins; {@link EventList#page} takes it. Empty at the end of the
 *     list. A feed ends only where {@link EventQuery#to} was reached
 * @param hasMore whether the next page may already have entries
 */
public record EventPage(List<Entry> entries, Optional<EventPosition> next, boolean hasMore) {

  /** The most bytes of a page's payloads, as text inside a JSON string. */
  public static final long MAX_PAYLOADS = 4 * 1024 * 1024;

  /** What a list shows at one place. */
  public sealed interface Entry {}

  /**
   * An event and its sender.
   *
   * @param userId the user whose connector sent it
   * @param payload the stored text, byte for byte; empty if it was not asked for, or can be in no
   *     page
   */
  public record ListedEvent(WebhookEvent event, UUID userId, Optional<String> payload)
      implements Entry {}

  /** At this place, the event with this id was erased. */
  public record ListedErasure(UUID id, Instant erasedAt) implements Entry {}

  public EventPage {
    entries = List.copyOf(entries);
  }
}
