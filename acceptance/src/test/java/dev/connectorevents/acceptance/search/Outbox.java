package dev.connectorevents.acceptance.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** The events of one account's connectors: to retry them, to read them back and to erase them. */
final class Outbox {

  /**
   * How many events count as recent. They are retried more often: some of them are still in flight.
   */
  private static final int RECENT = 20;

  /** The events with a key. An event that is to be retried soon is added again. */
  private final List<Event> sent = new ArrayList<>();

  /** The acknowledged events by their ids, also those without a key. */
  private final Map<String, Event> stored = new ConcurrentHashMap<>();

  /** Adds an event with a key, as the most recent one. */
  synchronized void add(Event event) {
    sent.add(event);
  }

  /** Any event with a key: a retry sends it again. */
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
