package dev.connectorevents.functions.operators.find;

import dev.connectorevents.event.EventOrder;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.feed.BrandHash;
import dev.connectorevents.feed.FeedCursor;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.FeedReader;
import dev.connectorevents.feed.Segment;
import dev.connectorevents.functions.operators.find.FindEventsRequest.Entries;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Finds entries of the feed, call by call. A reader of the feed gets only what is still there; the
 * feed keeps of what is gone its id, its position and its time.
 */
final class FindEntries {

  /** The most entries that a call names. */
  private static final int MOST = 10_000;

  private static final int PAGE = 1_000;

  /** How long a call begins further pages. */
  private static final Duration LONGEST_CALL = Duration.ofSeconds(40);

  private final FeedReader feed;
  private final InstantSource clock;

  FindEntries(FeedReader feed, InstantSource clock) {
    this.feed = feed;
    this.clock = clock;
  }

  /** The place belongs to another feed, or lies past the end of this one. */
  static final class OtherFeedException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /**
   * The answer to a call.
   *
   * @param line of the log
   * @throws OtherFeedException if the feed does not have the place
   */
  Map<String, Object> find(Entries asked, Map<String, Object> line) {
    Instant end = clock.instant().plus(LONGEST_CALL);
    long begin =
        asked
            .after()
            .map(FeedCursor::position)
            .orElseGet(() -> asked.from().map(feed::positionBeforeCreated).orElse(0L));
    FeedReader.Bounds bounds =
        new FeedReader.Bounds(Optional.empty(), Optional.empty(), asked.until());
    List<Map<String, Object>> entries = new ArrayList<>();
    long judged = begin;
    FeedReader.Found found;
    do {
      found =
          feed.find(
              EventOrder.ASC,
              judged + 1,
              bounds,
              placed -> asked.ids().map(it -> it.contains(id(placed))).orElse(true),
              PAGE);
      Optional<Segment> last = found.last();
      if (asked.after().filter(it -> !isIn(it, last)).isPresent()) {
        throw new OtherFeedException();
      }
      found.entries().stream().map(FindEntries::members).forEach(entries::add);
      judged = found.judged();
    } while (judged < Math.min(asked.until(), found.head())
        && entries.size() + PAGE <= MOST
        && clock.instant().isBefore(end));
    line.put("selector", "entries");
    line.put("matched", entries.size());
    line.put("searched", judged - begin);
    return answer(asked, found, entries, begin, judged);
  }

  private static Map<String, Object> answer(
      Entries asked,
      FeedReader.Found found,
      List<Map<String, Object>> entries,
      long begin,
      long judged) {
    Map<String, Object> answer = new LinkedHashMap<>();
    Optional<String> name = found.last().map(Segment::feed);
    name.ifPresent(it -> answer.put("feed", it));
    answer.put("head", found.head());
    answer.put("searched", judged - begin);
    answer.put("entries", entries);
    if (judged < Math.min(asked.until(), found.head())) {
      answer.put("next", new FeedCursor(name, judged).text());
    }
    return answer;
  }

  private static boolean isIn(FeedCursor cursor, Optional<Segment> last) {
    return cursor.feed().isEmpty()
        || last.filter(
                it -> cursor.feed().get().equals(it.feed()) && cursor.position() <= it.last())
            .isPresent();
  }

  private static UUID id(Segment.Placed placed) {
    return placed.entry().version().id();
  }

  private static Map<String, Object> members(Segment.Placed placed) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("position", placed.position());
    members.put("numbered_at", Timestamp.of(placed.at()));
    members.put("id", id(placed).toString());
    String at = Timestamp.of(placed.entry().version().at());
    switch (placed.entry()) {
      case FeedEntry.OfErasure _ -> members.put("erased_at", at);
      case FeedEntry.OfEvent event -> {
        members.put("created_at", at);
        members.put("event_type", event.type().value());
        members.put("user_id", event.userId().toString());
        event.brand().map(BrandHash::text).ifPresent(it -> members.put("brand_hash", it));
      }
    }
    return members;
  }
}
