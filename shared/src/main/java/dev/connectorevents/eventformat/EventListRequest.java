package dev.connectorevents.eventformat;

import dev.connectorevents.event.EventQuery;
import java.util.Map;
import java.util.Optional;

/** The query of a request to list events, checked by the rules in {@code docs/api.md}. */
public sealed interface EventListRequest {

  /** All rules hold. */
  record Valid(EventQuery query, int limit, Optional<EventCursor> cursor)
      implements EventListRequest {}

  /**
   * Parameters break rules.
   *
   * @param detail names all of them; a cursor is read only if the others are right
   */
  record Invalid(String detail) implements EventListRequest {}

  /** Reads and checks a request's query. */
  static EventListRequest read(Map<String, String> query) {
    return new EventListReader(query).read();
  }
}
