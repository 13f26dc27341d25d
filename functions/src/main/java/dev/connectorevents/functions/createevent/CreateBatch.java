package dev.connectorevents.functions.createevent;

import dev.connectorevents.SideBySide;
import dev.connectorevents.access.Caller;
import dev.connectorevents.event.Events;
import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.eventformat.EventRequest;
import dev.connectorevents.json.Body;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Stores each event of a batch by itself, side by side. Events under one key are stored one after
 * the other: the first is the event, the others are its replays or conflicts.
 */
final class CreateBatch {

  private record IndexedEvent(int index, EventRequest event) {}

  private final NewEvents newEvents;
  private final Events events;
  private final SideBySide sideBySide;

  /**
   * @param newEvents gives each event its id
   */
  CreateBatch(NewEvents newEvents, Events events, SideBySide sideBySide) {
    this.newEvents = newEvents;
    this.events = events;
    this.sideBySide = sideBySide;
  }

  /** The result of each event, in the order of the events. */
  List<BatchResult> create(List<Body.Checked<EventRequest>> batch, Caller caller) {
    Map<Integer, BatchResult> results = new TreeMap<>();
    List<IndexedEvent> allowed = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      switch (batch.get(i)) {
        case Body.Invalid<EventRequest> event -> results.put(i, new BatchResult.Invalid(event));
        case Body.Read<EventRequest>(EventRequest event) when !caller.mayUse(event.type()) ->
            results.put(i, new BatchResult.OutOfScope(event, caller.outOfScope(event.type())));
        case Body.Read<EventRequest>(EventRequest event) -> allowed.add(new IndexedEvent(i, event));
      }
    }
    UUID userId = caller.user().id();
    sideBySide.run(byKey(allowed), ofOneKey -> store(ofOneKey, userId)).forEach(results::putAll);
    return List.copyOf(results.values());
  }

  /** The events of each key in their order. An event without a key is alone. */
  private static List<List<IndexedEvent>> byKey(List<IndexedEvent> events) {
    List<List<IndexedEvent>> groups = new ArrayList<>();
    Map<IdempotencyKey, List<IndexedEvent>> keyed = new HashMap<>();
    for (IndexedEvent event : events) {
      List<IndexedEvent> group =
          event
              .event()
              .idempotencyKey()
              .map(key -> keyed.computeIfAbsent(key, _ -> new ArrayList<>()))
              .orElseGet(ArrayList::new);
      if (group.isEmpty()) {
        groups.add(group);
      }
      group.add(event);
    }
    return groups;
  }

  private Map<Integer, BatchResult> store(List<IndexedEvent> ofOneKey, UUID userId) {
    Map<Integer, BatchResult> results = new HashMap<>();
    Optional<StoreOutcome> failed = Optional.empty();
    for (IndexedEvent each : ofOneKey) {
      StoreOutcome outcome = failed.orElseGet(() -> store(each.event(), userId));
      // It may still be stored: no event after it may take its key.
      failed = Optional.of(outcome).filter(StoreOutcome.Unknown.class::isInstance);
      results.put(each.index(), new BatchResult.Tried(each.event(), outcome));
    }
    return results;
  }

  private StoreOutcome store(EventRequest event, UUID userId) {
    return StoreOutcome.of(() -> events.store(newEvents.of(event, userId)));
  }
}
