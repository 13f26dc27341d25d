package dev.connectorevents.event;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A part of a list.
 *
 * @param events may be fewer than asked for, even none, although others follow
 * @param next where the next page begins; empty at the end of the list
 */
public record EventPage(List<Entry> events, Optional<EventPosition> next) {

  /**
   * An event without its payload.
   *
   * @param userId the user whose connector sent it
   */
  public record Entry(WebhookEvent event, UUID userId) {}

  public EventPage {
    events = List.copyOf(events);
  }
}
