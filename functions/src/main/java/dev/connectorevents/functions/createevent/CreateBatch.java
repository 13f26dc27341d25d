package dev.connectorevents.functions.createevent;

import dev.connectorevents.access.Caller;
import dev.connectorevents.event.EventBatches;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.eventformat.EventRequest;
import dev.connectorevents.http.Fault;
import dev.connectorevents.json.Body;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Stores the events of a batch together, each independently of the others. Events under one key are
 * stored in their order: the first is the event, the others are its replays or conflicts.
 */
final class CreateBatch {

  private record IndexedEvent(int index, EventRequest event) {}

  private final NewEvents newEvents;
  private final EventBatches batches;

  /**
   * @param newEvents gives each event its id
   */
  CreateBatch(NewEvents newEvents, EventBatches batches) {
    this.newEvents = newEvents;
    this.batches = batches;
  }

  /** The result of each event, in the order of the events. */
  List<BatchResult> create(List<Body.Checked<EventRequest>> events, Caller caller) {
    Map<Integer, BatchResult> results = new TreeMap<>();
    List<IndexedEvent> allowed = new ArrayList<>();
    for (int i = 0; i < events.size(); i++) {
      switch (events.get(i)) {
        case Body.Invalid<?>(List<Fault> faults) -> results.put(i, new BatchResult.Invalid(faults));
        case Body.Read<EventRequest>(EventRequest event) when !caller.mayUse(event.type()) ->
            results.put(i, new BatchResult.OutOfScope(caller.outOfScope(event.type())));
        case Body.Read<EventRequest>(EventRequest event) -> allowed.add(new IndexedEvent(i, event));
      }
    }
    List<Queue<IndexedEvent>> waiting = byKey(allowed);
    while (!waiting.isEmpty()) {
      createFirst(waiting, caller.user().id(), results);
      waiting.removeIf(Queue::isEmpty);
    }
    return List.copyOf(results.values());
  }

  /** The events of each key in their order. An event without a key has a queue of its own. */
  private static List<Queue<IndexedEvent>> byKey(List<IndexedEvent> events) {
    List<Queue<IndexedEvent>> queues = new ArrayList<>();
    Map<IdempotencyKey, Queue<IndexedEvent>> keyed = new HashMap<>();
    for (IndexedEvent event : events) {
      Queue<IndexedEvent> queue =
          event
              .event()
              .idempotencyKey()
              .map(key -> keyed.computeIfAbsent(key, _ -> new ArrayDeque<>()))
              .orElseGet(ArrayDeque::new);
      if (queue.isEmpty()) {
        queues.add(queue);
      }
      queue.add(event);
    }
    return queues;
  }

  /** Stores the first event of each key. */
  private void createFirst(
      List<Queue<IndexedEvent>> waiting, UUID userId, Map<Integer, BatchResult> results) {
    List<Queue<IndexedEvent>> tried = new ArrayList<>();
    List<EventToStore> toStore = new ArrayList<>();
    for (Queue<IndexedEvent> ofOneKey : waiting) {
      try {
        toStore.add(newEvents.of(ofOneKey.element().event(), userId));
        tried.add(ofOneKey);
      } catch (RuntimeException e) {
        settle(ofOneKey, new StoreOutcome.Unknown(e), results);
      }
    }
    List<StoreOutcome> outcomes = batches.store(toStore);
    for (int i = 0; i < outcomes.size(); i++) {
      settle(tried.get(i), outcomes.get(i), results);
    }
  }

  private static void settle(
      Queue<IndexedEvent> ofOneKey, StoreOutcome outcome, Map<Integer, BatchResult> results) {
    BatchResult result = new BatchResult.Tried(outcome);
    results.put(ofOneKey.remove().index(), result);
    if (outcome instanceof StoreOutcome.Unknown) {
      // It may still be stored: no event after it may take its key.
      ofOneKey.forEach(event -> results.put(event.index(), result));
      ofOneKey.clear();
    }
  }
}
