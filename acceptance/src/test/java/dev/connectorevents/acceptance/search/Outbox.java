package dev.connectorevents.acceptance.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * The events that the connectors of one account have sent with a key, and the ids of those that
 * were stored.
 */
final class Outbox {

  /**
   * How many events count as recent. They are retried more often: some of them are still in flight.
   */
  private static final int RECENT = 20;

  private final List<Event> sent = new ArrayList<>();
  private final Map<String, Event> stored = new ConcurrentHashMap<>();

  synchronized void add(Event event) {
    sent.add(event);
  }

  synchronized Optional<Event> any(RandomGenerator random) {
    if (sent.isEmpty()) {
      return Optional.empty();
    }
    int oldest = random.nextBoolean() ? 0 : Math.max(0, sent.size() - RECENT);
    return Optional.of(sent.get(random.nextInt(oldest, sent.size())));
  }

  void addStored(String id, Event event) {
    stored.putIfAbsent(id, event);
  }

  /** An acknowledged event that fits, and its id. */
  Optional<Map.Entry<String, Event>> anyStored(RandomGenerator random, Predicate<Event> fits) {
    List<Map.Entry<String, Event>> fitting =
        stored.entrySet().stream().filter(entry -> fits.test(entry.getValue())).toList();
    return fitting.isEmpty()
        ? Optional.empty()
        : Optional.of(fitting.get(random.nextInt(fitting.size())));
  }
}
