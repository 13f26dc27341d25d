package dev.connectorevents.functions.createevent;

import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.eventformat.EventRequest;
import dev.connectorevents.http.Reason;
import dev.connectorevents.json.Body;

/** What became of one event of a batch. */
sealed interface BatchResult {

  /** The event breaks rules, and nothing was tried. */
  record Invalid(Body.Invalid<EventRequest> event) implements BatchResult {}

  /** The user may not send events of this type, and nothing was tried. */
  record OutOfScope(EventRequest event, Reason reason) implements BatchResult {}

  /** The service tried to store the event. */
  record Tried(EventRequest event, StoreOutcome outcome) implements BatchResult {}
}
