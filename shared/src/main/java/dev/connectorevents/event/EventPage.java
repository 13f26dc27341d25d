package dev.connectorevents.event;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * One page of a list of events, newest first.
 *
 * @param events may be fewer than asked for, even none, even if more pages follow
 * @param continueAfter the last position of this page; {@link EventList#list} takes it for the next
 *     page. Empty at the end of the list
 */
public record EventPage(List<ListedEvent> events, Optional<EventPosition> continueAfter) {

  /**
   * An event and its sender.
   *
   * @param userId the user whose connector sent it
   */
  public record ListedEvent(WebhookEvent event, UUID userId) {}

  public EventPage {
    events = List.copyOf(events);
  }
}
