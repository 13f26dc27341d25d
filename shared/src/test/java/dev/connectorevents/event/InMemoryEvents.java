package dev.connectorevents.event;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Implements {@link Events} with a map, for tests. */
public final class InMemoryEvents implements Events {

  private final Map<UUID, EventToStore> events = new LinkedHashMap<>();

  @Override
  public StoreOutcome.Known store(EventToStore toStore) {
    EventToStore first = events.putIfAbsent(toStore.event().id(), toStore);
    if (first == null) {
      return new StoreOutcome.Stored(toStore.event());
    }
    return first.fingerprint().isPresent() && first.fingerprint().equals(toStore.fingerprint())
        ? new StoreOutcome.Replayed(first.event())
        : new StoreOutcome.KeyReused(first.event());
  }

  public List<EventToStore> stored() {
    return List.copyOf(events.values());
  }
}
