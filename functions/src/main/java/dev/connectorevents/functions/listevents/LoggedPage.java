package dev.connectorevents.functions.listevents;

import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.event.ListEntry;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.event.WebhookEvent;
import dev.connectorevents.feed.BrandHash;
import dev.connectorevents.feed.FeedCursor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * The events that a page shows, for its line in the log: after a leak of the reader's token, {@code
 * operate/user reads} makes a list of events of it.
 */
final class LoggedPage {

  private LoggedPage() {}

  /**
   * The notes of a page of the feed, in either order; none if it shows no event.
   *
   * @param feed the name of the feed
   */
  static Map<String, Object> ofFeed(
      EventQuery query,
      Optional<EventTypes> scope,
      List<ListEntry> entries,
      Optional<String> feed) {
    List<Long> positions =
        events(entries).stream().map(it -> it.position().orElseThrow().number()).sorted().toList();
    if (positions.isEmpty()) {
      return Map.of();
    }
    Map<String, Object> notes = ofQuery(query, scope, positions.size());
    feed.ifPresent(name -> notes.put("feed", name));
    notes.put("first_position", positions.getFirst());
    notes.put("last_position", positions.getLast());
    if (positions.getLast() - positions.getFirst() >= positions.size()) {
      notes.put("positions", ranges(positions));
    }
    return notes;
  }

  /**
   * Between which positions a page of the feed has come, also an empty one, and whether it was
   * asked for erasures: so it can be said which reader has read past an erasure. With {@code from},
   * a page may begin later than its cursor says: then nothing is said of its place.
   *
   * @param after the cursor's position
   */
  static Map<String, Object> ofPassage(EventQuery query, long after, FeedCursor next) {
    Map<String, Object> notes = new HashMap<>();
    if (query.from().isEmpty()) {
      notes.put("after", after);
      notes.put("next", next.position());
    }
    if (query.hasErasures()) {
      notes.put("erasures", true);
    }
    next.feed().ifPresent(name -> notes.put("feed", name));
    query.share().ifPresent(share -> notes.put("share", share.text()));
    return notes;
  }

  /** The notes of a page of a brand's list, newest first; none if it shows no event. */
  static Map<String, Object> ofBrand(
      EventQuery query, Optional<EventTypes> scope, List<ListEntry> entries) {
    List<ListEntry.OfEvent> events = events(entries);
    if (events.isEmpty()) {
      return Map.of();
    }
    Map<String, Object> notes = ofQuery(query, scope, events.size());
    WebhookEvent first = events.getFirst().event();
    WebhookEvent last = events.getLast().event();
    notes.put("first_created_at", Timestamp.of(first.createdAt()));
    notes.put("last_created_at", Timestamp.of(last.createdAt()));
    // Many events may be of one millisecond; by id, the list has an order among them too.
    notes.put("first_id", first.id().toString());
    notes.put("last_id", last.id().toString());
    return notes;
  }

  private static List<ListEntry.OfEvent> events(List<ListEntry> entries) {
    return entries.stream()
        .filter(ListEntry.OfEvent.class::isInstance)
        .map(ListEntry.OfEvent.class::cast)
        .toList();
  }

  /** What was asked for, and what the user might see. A brand's text may name a person. */
  private static Map<String, Object> ofQuery(
      EventQuery query, Optional<EventTypes> scope, int shown) {
    Map<String, Object> notes = new HashMap<>();
    notes.put("shown", shown);
    query.types().ifPresent(types -> notes.put("event_types", types.text()));
    scope.ifPresent(types -> notes.put("scope", types.text()));
    query.share().ifPresent(share -> notes.put("share", share.text()));
    query.brand().ifPresent(brand -> notes.put("brand_hash", BrandHash.of(brand).text()));
    if (query.hasPayloads()) {
      notes.put("include", "payload");
    }
    return notes;
  }

  /** Sorted positions in short: {@code 3-7,9}. */
  private static String ranges(List<Long> positions) {
    StringJoiner ranges = new StringJoiner(",");
    long first = positions.getFirst();
    long last = first;
    for (long position : positions) {
      if (position > last + 1) {
        ranges.add(range(first, last));
        first = position;
      }
      last = position;
    }
    return ranges.add(range(first, last)).toString();
  }

  private static String range(long first, long last) {
    return first == last ? "" + first : first + "-" + last;
  }
}
