package dev.connectorevents.acceptance.storm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** The events that one account has sent. Workers retry them, read them back and erase them. */
final class Outbox {

  /**
   * How many of the latest events count as recent. Recent events are retried more often, because
   * some of them are still in flight.
   */
  private static final int RECENT = 20;

  private static final int RETRIES = 4;

  /** The events with an idempotency key, the most recent last. */
  private final List<Event> sent = new ArrayList<>();

  /** The events that are retried next. */
  private final Deque<Event> next = new ArrayDeque<>();

  /** The acknowledged events by id, with and without an idempotency key. */
  private final Map<String, Event> stored = new ConcurrentHashMap<>();

  /** Adds an event with an idempotency key, as the most recent event. */
  synchronized void add(Event event) {
    sent.add(event);
  }

  /** Makes the next retries some of this event, which has an idempotency key. */
  synchronized void retry(Event event) {
    next.addAll(Collections.nCopies(RETRIES, event));
  }

  /** Chooses at random an event with an idempotency key; empty if there is none. */
  synchronized Optional<Event> any(RandomGenerator random) {
    if (!next.isEmpty()) {
      return Optional.of(next.removeFirst());
    }
    if (sent.isEmpty()) {
      return Optional.empty();
    }
    int oldest = random.nextBoolean() ? 0 : Math.max(0, sent.size() - RECENT);
    return Optional.of(sent.get(random.nextInt(oldest, sent.size())));
  }

  void addStored(String id, Event event) {
    stored.putIfAbsent(id, event);
  }

  /** Chooses at random an acknowledged event that fits, with its id; empty if none fits. */
  Optional<Map.Entry<String, Event>> anyStored(RandomGenerator random, Predicate<Event> fits) {
    List<Map.Entry<String, Event>> fitting =
        stored.entrySet().stream().filter(entry -> fits.test(entry.getValue())).toList();
    return fitting.isEmpty()
        ? Optional.empty()
        : Optional.of(fitting.get(random.nextInt(fitting.size())));
  }
}
