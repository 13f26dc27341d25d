package dev.connectorevents.functions.operators.find;

import dev.connectorevents.erasure.ErasableEvent;
import dev.connectorevents.erasure.ErasableEvents;
import dev.connectorevents.erasure.ErasableEvents.Source;
import dev.connectorevents.erasure.EventSelection;
import dev.connectorevents.erasure.PayloadConditions;
import dev.connectorevents.erasure.SelectedEvents;
import dev.connectorevents.event.EventType;
import dev.connectorevents.feed.FeedReader;
import dev.connectorevents.feed.Whole;
import dev.connectorevents.feed.WholeFeed;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.DoubleAdder;

/** Finds the events of a selection as they are, call by call. */
final class FindEvents {

  /** The most ids that a call names, less those of one page. */
  private static final int ENOUGH_IDS = 900;

  /** How long a call begins further pages. The rest of the function's time is for slow calls. */
  private static final Duration LONGEST_CALL = Duration.ofSeconds(40);

  private static final int MAX_HINTS = 3;
  private static final int SHOWN_PLACES = 20;

  /** Each payload may have others. */
  private static final int MOST_PLACES = 1_000;

  private final ErasableEvents events;
  private final WholeFeed feed;
  private final InstantSource clock;

  FindEvents(ErasableEvents events, WholeFeed feed, InstantSource clock) {
    this.events = events;
    this.feed = feed;
    this.clock = clock;
  }

  /** Where events of a type match. */
  record Place(String eventType, String pointer) {}

  /**
   * What one call has found.
   *
   * @param begun when the first call was made
   * @param next where the next call goes on; empty after the last one
   * @param readUnits what reading the events has cost
   * @param places how many events match where, the most first
   * @param hasMorePlaces whether there are others
   * @param hints what would have found events, if nothing was found
   * @param whole what the feed held; empty if nobody knows, or if it was not read
   */
  record Found(
      Instant begun,
      List<UUID> ids,
      Set<UUID> notJudged,
      Optional<String> next,
      int searched,
      double readUnits,
      Map<Place, Integer> places,
      boolean hasMorePlaces,
      List<String> hints,
      Optional<Whole> whole) {}

  /**
   * Makes one call.
   *
   * @param begun when the first call was made
   * @param place where the call before ended; empty for the first call
   */
  Found find(EventSelection selection, Instant begun, Optional<String> place) {
    Instant end = clock.instant().plus(LONGEST_CALL);
    DoubleAdder readUnits = new DoubleAdder();
    PayloadConditions.Hints hints = new PayloadConditions.Hints(MAX_HINTS);
    Places places = new Places();
    SelectedEvents selected =
        new SelectedEvents(
            selection,
            events.metered(readUnits::add),
            clock,
            end,
            hints,
            selection.where().anyIsContains() ? Optional.of(places::add) : Optional.empty());
    Optional<Whole> whole = selection.readsFeed() ? feed.known() : Optional.empty();
    List<UUID> ids = new ArrayList<>();
    Optional<String> next = place;
    do {
      SelectedEvents.Page page =
          selected.page(begun.plus(FeedReader.CLOCKS), new Source.AsItIs(), next);
      page.events().stream().map(ErasableEvent::id).forEach(ids::add);
      next = page.next();
    } while (next.isPresent()
        && ids.size() + selected.notJudged().size() <= ENOUGH_IDS
        && clock.instant().isBefore(end));
    return new Found(
        begun,
        ids,
        selected.notJudged(),
        next,
        selected.searched(),
        readUnits.sum(),
        places.mostFrequent(),
        places.hasMore(),
        ids.isEmpty() ? hints.texts() : List.of(),
        whole);
  }

  /** Counts the events by the places where they match. */
  private static final class Places {

    private final Map<Place, Integer> events = new HashMap<>();
    private boolean hasMore;

    void add(EventType type, PayloadConditions.Places found) {
      hasMore |= found.hasMore();
      for (String pointer : found.pointers()) {
        Place place = new Place(type.value(), pointer);
        if (events.size() < MOST_PLACES || events.containsKey(place)) {
          events.merge(place, 1, Integer::sum);
        } else {
          hasMore = true;
        }
      }
    }

    boolean hasMore() {
      return hasMore || events.size() > SHOWN_PLACES;
    }

    Map<Place, Integer> mostFrequent() {
      Map<Place, Integer> shown = new LinkedHashMap<>();
      events.entrySet().stream()
          .sorted(
              Map.Entry.<Place, Integer>comparingByValue()
                  .reversed()
                  .thenComparing(place -> place.getKey().toString()))
          .limit(SHOWN_PLACES)
          .forEach(place -> shown.put(place.getKey(), place.getValue()));
      return shown;
    }
  }
}
