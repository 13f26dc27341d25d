package dev.connectorevents.functions.eraseevents;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.event.ErasableEvent;
import dev.connectorevents.event.ErasableEvents;
import dev.connectorevents.event.ErasureSelector;
import dev.connectorevents.eventformat.PayloadCondition;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The events that a request selects. */
final class Selection {

  /** Tries to read the payload of an event that is replaced meanwhile. */
  private static final int MAX_TRIES = 5;

  private final ErasureSelector selector;
  private final List<PayloadCondition> where;
  private final ErasableEvents events;

  Selection(EraseEventsRequest.Erase request, ErasableEvents events) {
    this.selector = request.selector();
    this.where = request.where();
    this.events = events;
  }

  /**
   * Some events of a selection.
   *
   * @param notJudged the ids of the events that cannot be judged by the conditions: they may be
   *     selected
   * @param absent how many ids of the selection have neither an event nor a tombstone
   * @param next where the next page begins; empty after the last one
   */
  record Page(
      List<ErasableEvent> events, Set<UUID> notJudged, int absent, Optional<String> next) {
    Page {
      events = List.copyOf(events);
      notJudged = Set.copyOf(notJudged);
    }
  }

  ErasureSelector selector() {
    return selector;
  }

  /**
   * A page of the selected events that were created before a time.
   *
   * @param after where the page before ended; empty for the first page
   */
  Page page(Instant before, Optional<String> after) {
    ErasableEvents.Page page = events.page(selector, before, after, !where.isEmpty());
    List<ErasableEvent> matching = page.events().stream().filter(this::matches).toList();
    return new Page(matching, Set.of(), page.absent(), page.next());
  }

  /**
   * Whether an event that has replaced a selected one is selected too. It may be of another brand:
   * if not, the next pass has it.
   */
  boolean selectsReplacement(ErasableEvent event) {
    return !(selector instanceof ErasureSelector.Brand) && matches(event);
  }

  private boolean matches(ErasableEvent event) {
    if (where.isEmpty()) {
      return true;
    }
    Optional<ErasableEvent> current = Optional.of(event);
    for (int i = 0; i < MAX_TRIES && current.isPresent(); i++) {
      Optional<InputStream> payload = events.payload(current.get());
      if (payload.isPresent()) {
        return holds(payload.get());
      }
      current = events.read(event.id());
    }
    return false; // erased, or replaced by a newer event
  }

  private boolean holds(InputStream payload) {
    try (payload) {
      return PayloadCondition.anyHolds(where, payload);
    } catch (IOException e) {
      throw new DependencyUnavailableException("an event's payload is incomplete", e);
    }
  }
}
