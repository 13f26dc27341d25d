package dev.connectorevents.functions.eraseevents;

import dev.connectorevents.event.ErasableEvent;
import dev.connectorevents.event.EventType;
import dev.connectorevents.eventformat.PayloadConditions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** What one call has done so far. A call that fails in between has its figures in the log. */
final class CallFigures {

  private static final int SHOWN_PLACES = 20;

  /** Each payload may have others. */
  private static final int MOST_PLACES = 1_000;

  private Optional<UUID> erasureId = Optional.empty();
  private final List<UUID> matched = new ArrayList<>();
  private final Set<UUID> notJudged = new LinkedHashSet<>();
  private final Set<String> hints = new LinkedHashSet<>();
  private final Map<Place, Integer> places = new HashMap<>();
  private boolean hasMorePlaces;
  private int searched;
  private double readUnits;
  private int erased;

  /** Where events of a type match. */
  record Place(String eventType, String pointer) {}

  /**
   * Some of the places.
   *
   * @param events how many events match there, the most first
   * @param hasMore whether there are others
   */
  record Places(Map<Place, Integer> events, boolean hasMore) {}

  void of(UUID id) {
    erasureId = Optional.of(id);
  }

  /** Adds events that the call has selected. */
  void addMatched(List<ErasableEvent> events) {
    events.forEach(event -> matched.add(event.id()));
  }

  /** Adds events that the conditions cannot judge. An id may be added again. */
  void addNotJudged(Set<UUID> ids) {
    notJudged.addAll(ids);
  }

  /** Adds what a dry run would have found with other conditions. A hint may be added again. */
  void addHints(List<String> texts) {
    hints.addAll(texts);
  }

  /** Adds an event that was searched, whether it matches or not. */
  void addSearched() {
    searched++;
  }

  /** Adds what a read has cost. */
  void addReadUnits(double units) {
    readUnits += units;
  }

  /** Adds where an event matches. */
  void addPlaces(EventType type, PayloadConditions.Places found) {
    hasMorePlaces |= found.hasMore();
    for (String pointer : found.pointers()) {
      Place place = new Place(type.value(), pointer);
      if (places.size() < MOST_PLACES || places.containsKey(place)) {
        places.merge(place, 1, Integer::sum);
      } else {
        hasMorePlaces = true;
      }
    }
  }

  /** Where the events match that this call has found. */
  Places places() {
    Map<Place, Integer> shown = new LinkedHashMap<>();
    places.entrySet().stream()
        .sorted(
            Map.Entry.<Place, Integer>comparingByValue()
                .reversed()
                .thenComparing(place -> place.getKey().toString()))
        .limit(SHOWN_PLACES)
        .forEach(place -> shown.put(place.getKey(), place.getValue()));
    return new Places(shown, hasMorePlaces || places.size() > SHOWN_PLACES);
  }

  /** Adds events that have a tombstone of this erasure now. */
  void addErased(int count) {
    erased += count;
  }

  Optional<UUID> erasureId() {
    return erasureId;
  }

  int searched() {
    return searched;
  }

  double readUnits() {
    return readUnits;
  }

  /** The ids of the events that this call has selected. */
  List<UUID> matched() {
    return matched;
  }

  /** The ids of the events that the conditions could not judge in this call. */
  Set<UUID> notJudged() {
    return notJudged;
  }

  /** What a call that has selected nothing would have found with other conditions. */
  Set<String> hints() {
    return matched.isEmpty() ? hints : Set.of();
  }

  /** How many ids the call names. */
  int ids() {
    return matched.size() + notJudged.size();
  }

  int erased() {
    return erased;
  }

  void log(Map<String, Object> line) {
    erasureId.ifPresent(id -> line.put("erasure_id", id.toString()));
    line.put("matched", matched.size());
    line.put("erased", erased);
    if (!notJudged.isEmpty()) {
      line.put("not_judged", notJudged.size());
    }
  }
}
