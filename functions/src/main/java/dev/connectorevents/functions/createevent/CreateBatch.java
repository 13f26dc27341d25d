package dev.connectorevents.functions.createevent;

import dev.connectorevents.SideBySide;
import dev.connectorevents.eventformat.EventRequest;
import dev.connectorevents.http.Caller;
import dev.connectorevents.http.Fault;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stores the events of a batch side by side, each independently of the others. Events under one key
 * are stored in their order: the first is the event, the others are its replays or conflicts.
 */
final class CreateBatch {

  private final CreateEvent createEvent;
  private final SideBySide sideBySide;

  CreateBatch(CreateEvent createEvent, SideBySide sideBySide) {
    this.createEvent = createEvent;
    this.sideBySide = sideBySide;
  }

  /** What became of each event, in the order of the events. */
  List<BatchResult> create(List<EventRequest.Checked> events, Caller caller) {
    Map<Integer, BatchResult> results = new TreeMap<>();
    Map<Object, Map<Integer, EventRequest.Valid>> eventsByKey = new LinkedHashMap<>();
    for (int i = 0; i < events.size(); i++) {
      switch (events.get(i)) {
        case EventRequest.Invalid(List<Fault> faults) ->
            results.put(i, new BatchResult.Invalid(faults));
        case EventRequest.Valid valid when !caller.mayUse(valid.type()) ->
            results.put(i, new BatchResult.OutOfScope(caller.outOfScope(valid.type())));
        case EventRequest.Valid valid ->
            eventsByKey.computeIfAbsent(keyOrIndex(valid, i), key -> new TreeMap<>()).put(i, valid);
      }
    }
    UUID userId = caller.user().id();
    sideBySide
        .run(
            eventsByKey.values().stream()
                .<Supplier<Map<Integer, BatchResult>>>map(
                    ofOneKey -> () -> createInOrder(ofOneKey, userId))
                .toList())
        .forEach(results::putAll);
    return List.copyOf(results.values());
  }

  private static Object keyOrIndex(EventRequest.Valid event, int index) {
    return event.idempotencyKey().<Object>map(key -> key).orElse(index);
  }

  private Map<Integer, BatchResult> createInOrder(
      Map<Integer, EventRequest.Valid> events, UUID userId) {
    Map<Integer, BatchResult> results = new HashMap<>();
    @Nullable BatchResult last = null;
    for (Map.Entry<Integer, EventRequest.Valid> event : events.entrySet()) {
      // A failed event may still be stored: none after it may take its key.
      if (!(last instanceof BatchResult.Failed)) {
        last = create(event.getValue(), userId);
      }
      results.put(event.getKey(), last);
    }
    return results;
  }

  /** Catches defects too: they must not hide what became of the other events. */
  private BatchResult create(EventRequest.Valid event, UUID userId) {
    try {
      return new BatchResult.Done(createEvent.create(event, userId));
    } catch (RuntimeException e) {
      return new BatchResult.Failed(e);
    }
  }
}
