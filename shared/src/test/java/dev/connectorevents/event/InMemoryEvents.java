package dev.connectorevents.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.Gzip;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Implements {@link Events} with a map, for tests. Its events never expire. */
public final class InMemoryEvents implements Events {

  private final Map<UUID, EventToStore> events = new LinkedHashMap<>();
  private final Set<UUID> erased = new HashSet<>();
  private final long limit;

  public InMemoryEvents() {
    this(4 * 1024 * 1024);
  }

  /**
   * @param limit the largest size of a compressed payload, in bytes
   */
  public InMemoryEvents(long limit) {
    this.limit = limit;
  }

  @Override
  public synchronized StoreOutcome.Known store(EventToStore toStore) {
    long bytes = Gzip.compress(toStore.payload().text().getBytes(UTF_8)).length;
    if (bytes > limit) {
      return new StoreOutcome.TooLarge(bytes, limit);
    }
    UUID id = toStore.id();
    WebhookEvent event = toStore.event();
    EventToStore first = erased.contains(id) ? null : events.putIfAbsent(id, toStore);
    if (toStore.fingerprint().isEmpty() || (first == null && !erased.contains(id))) {
      return new StoreOutcome.Stored(event);
    }
    if (first == null) {
      return new StoreOutcome.Erased();
    }
    return first.fingerprint().equals(toStore.fingerprint())
        ? new StoreOutcome.Replayed(first.event())
        : new StoreOutcome.KeyReused(first.event());
  }

  /** Erases an event, stored or not, so that its key is refused from now on. */
  public synchronized void erase(UUID id) {
    events.remove(id);
    erased.add(id);
  }

  public synchronized List<EventToStore> stored() {
    return List.copyOf(events.values());
  }
}
