package dev.connectorevents.functions.createevent;

import dev.connectorevents.SideBySide;
import dev.connectorevents.eventformat.EventRequest;
import dev.connectorevents.http.Fault;
import java.util.ArrayList;
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
  List<BatchResult> create(List<EventRequest.Checked> events, UUID userId) {
    Map<Object, List<Integer>> indexesByKey = new LinkedHashMap<>();
    for (int i = 0; i < events.size(); i++) {
      indexesByKey.computeIfAbsent(keyOrIndex(events.get(i), i), key -> new ArrayList<>()).add(i);
    }
    Map<Integer, BatchResult> results = new TreeMap<>();
    sideBySide
        .run(
            indexesByKey.values().stream()
                .<Supplier<Map<Integer, BatchResult>>>map(
                    indexes -> () -> createInOrder(events, indexes, userId))
                .toList())
        .forEach(results::putAll);
    return List.copyOf(results.values());
  }

  private static Object keyOrIndex(EventRequest.Checked event, int index) {
    return event instanceof EventRequest.Valid valid && valid.idempotencyKey().isPresent()
        ? valid.idempotencyKey().get()
        : index;
  }

  private Map<Integer, BatchResult> createInOrder(
      List<EventRequest.Checked> events, List<Integer> indexes, UUID userId) {
    Map<Integer, BatchResult> results = new HashMap<>();
    @Nullable BatchResult last = null;
    for (int index : indexes) {
      // A failed event may still be stored: none after it may take its key.
      if (!(last instanceof BatchResult.Failed)) {
        last = create(events.get(index), userId);
      }
      results.put(index, last);
    }
    return results;
  }

  private BatchResult create(EventRequest.Checked event, UUID userId) {
    return switch (event) {
      case EventRequest.Invalid(List<Fault> faults) -> new BatchResult.Invalid(faults);
      case EventRequest.Valid valid -> create(valid, userId);
    };
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
