package dev.connectorevents.eventformat;

import dev.connectorevents.event.EventPlace;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.feed.FeedWindow;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The query of a request to list events, checked by the rules in {@code docs/api.md}. */
public sealed interface EventListRequest {

  /** All rules hold. */
  sealed interface Valid extends EventListRequest {

    EventQuery query();

    /** A list of the feed, in either order. */
    record OfFeed(EventQuery query, int limit, FeedWindow window) implements Valid {}

    /** A list of a brand's events, newest first. */
    record OfBrand(EventQuery query, int limit, Optional<EventPlace> cursor) implements Valid {}
  }

  /**
   * Rules are broken.
   *
   * @param detail names every broken rule; those of {@code cursor} and {@code until} only if no
   *     other rule is broken
   */
  record Invalid(String detail) implements EventListRequest {}

  /** Reads and checks a request's query. */
  static EventListRequest read(Map<String, List<String>> query) {
    return new EventListReader(query).read();
  }

  /**
   * Refuses a query that cannot be decoded.
   *
   * @param parameter whose value is why, if the name can be read
   */
  static Invalid undecodable(Optional<String> parameter) {
    return new Invalid(
        parameter.filter(EventListReader.PARAMETERS::contains).orElse("The query")
            + " must be percent-encoded UTF-8: %C3%A9 for é, %20 for a space, %2B for a plus.");
  }
}
