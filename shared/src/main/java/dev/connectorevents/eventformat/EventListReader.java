package dev.connectorevents.eventformat;

import dev.connectorevents.event.EventOrder;
import dev.connectorevents.event.EventPlace;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventTypePattern;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.event.Share;
import dev.connectorevents.feed.EventFeed;
import dev.connectorevents.feed.FeedCursor;
import dev.connectorevents.feed.FeedWindow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads each parameter of a list's query, and collects the rules that are broken. */
final class EventListReader {

  private static final String EVENT_TYPE = "event_type";

  static final List<String> PARAMETERS =
      List.of(
          EVENT_TYPE,
          "brand_id",
          "share",
          "order",
          "from",
          "to",
          "until",
          "limit",
          "include",
          "cursor");

  private static final int DEFAULT_LIMIT = 50;

  /** An unknown name that an answer repeats: it may not be a token or a password. */
  private static final Pattern PLAIN_NAME = Pattern.compile("[$A-Za-z_.\\[\\]-]{1,32}");

  private static final String TIME_RULE = " must be " + Rfc3339.RULE + "; write + as %2B.";

  private final Map<String, List<String>> query;
  private final List<String> faults = new ArrayList<>();

  EventListReader(Map<String, List<String>> query) {
    this.query = query;
  }

  EventListRequest read() {
    checkNames();
    Optional<EventTypes> types = types();
    Optional<String> brand = brand();
    EventOrder order =
        switch (value("order").orElse("desc")) {
          case "asc" -> EventOrder.ASC;
          case "desc" -> EventOrder.DESC;
          default -> {
            faults.add("order must be asc or desc.");
            yield EventOrder.DESC;
          }
        };
    Optional<Share> share = share();
    if (share.isPresent() && order == EventOrder.DESC) {
      faults.add("share needs order=asc: readers share the feed.");
    }
    Optional<Instant> from = time("from");
    Optional<Instant> to = time("to");
    if (to.isPresent() && order == EventOrder.ASC) {
      faults.add("to is for lists newest first. The feed ends at until, a cursor.");
    }
    if (value("until").isPresent() && order == EventOrder.DESC) {
      faults.add("until needs order=asc: it ends a window of the feed.");
    }
    if (from.isPresent() && to.isPresent() && !from.get().isBefore(to.get())) {
      faults.add("from must be before to.");
    }
    int limit = limit();
    Set<String> include = include();
    if (include.contains("erasures") && query.containsKey("brand_id")) {
      faults.add("include=erasures excludes brand_id: an erased event has no brand.");
    }
    if (!faults.isEmpty()) {
      return new EventListRequest.Invalid(String.join(" ", faults));
    }
    EventQuery events =
        new EventQuery(
            types,
            brand,
            share,
            order,
            from,
            to,
            include.contains("payload"),
            include.contains("erasures"));
    return events.isOfBrandIndex() ? ofBrand(events, limit) : ofFeed(events, limit);
  }

  private EventListRequest ofBrand(EventQuery events, int limit) {
    Optional<EventPlace> cursor =
        value("cursor").flatMap(it -> BrandCursor.parse(it, events.brand().orElseThrow()));
    return query.containsKey("cursor") && cursor.isEmpty()
        ? new EventListRequest.Invalid(
            "cursor must be the next of an earlier page of this brand_id, newest first.")
        : new EventListRequest.Valid.OfBrand(events, limit, cursor);
  }

  private EventListRequest ofFeed(EventQuery events, int limit) {
    Optional<FeedCursor> cursor = value("cursor").flatMap(FeedCursor::parse);
    Optional<FeedCursor> until = value("until").flatMap(FeedCursor::parse);
    if (query.containsKey("cursor") && cursor.isEmpty()) {
      return new EventListRequest.Invalid(
          "cursor must be the next of an earlier answer: of the feed, or of a list without"
              + " brand_id; as in 3f9a01c2-1234.");
    }
    if (query.containsKey("until") && until.isEmpty()) {
      return new EventListRequest.Invalid(
          "until must be a position of the feed, as in 3f9a01c2-1234: the next of an earlier answer, or"
              + " what next has before the hyphen, and the position after it.");
    }
    return events.order() == EventOrder.DESC && cursor.equals(Optional.of(FeedCursor.BEGINNING))
        ? new EventListRequest.Invalid(
            "cursor 0 is the beginning of the feed: begin a list newest first without a cursor.")
        : new EventListRequest.Valid.OfFeed(events, limit, new FeedWindow(cursor, until));
  }

  private void checkNames() {
    query.forEach((name, values) -> {
      if (!PARAMETERS.contains(name)) {
        faults.add(
            "Unknown parameter%s. A list takes the parameters %s."
                .formatted(
                    PLAIN_NAME.matcher(name).matches() ? " " + name : "",
                    String.join(", ", PARAMETERS)));
      } else if (values.contains("")) {
        faults.add(name + " must not be empty.");
      } else if (values.size() > 1 && !name.equals(EVENT_TYPE)) {
        faults.add(name + " must be given once.");
      }
    });
  }

  /** The value of a parameter that is given once. {@link #checkNames} has judged all others. */
  private Optional<String> value(String name) {
    return Optional.ofNullable(query.get(name)).map(List::getFirst).filter(it -> !it.isEmpty());
  }

  private Optional<EventTypes> types() {
    List<String> texts =
        query.getOrDefault(EVENT_TYPE, List.of()).stream()
            .filter(it -> !it.isEmpty())
            .flatMap(it -> Arrays.stream(it.split(",", -1)))
            .toList();
    if (texts.isEmpty()) {
      return Optional.empty();
    }
    List<EventTypePattern> patterns =
        texts.stream().flatMap(it -> EventTypePattern.parse(it).stream()).toList();
    if (patterns.size() < texts.size()) {
      boolean isInUpperCase =
          texts.stream()
              .allMatch(it -> EventTypePattern.parse(it.toLowerCase(Locale.ROOT)).isPresent());
      faults.add(
          isInUpperCase
              ? "The provider in event_type must be in lower case, as in shopify.orders/create."
              : "event_type must be patterns, percent-encoded and separated by commas; each is "
                  + EventTypePattern.RULE
                  + ".");
      return Optional.empty();
    }
    return checked(
        EventTypes.of(patterns),
        "event_type must have 1 to " + EventTypes.MAX_PATTERNS + " patterns, each once.");
  }

  private Optional<String> brand() {
    return value("brand_id")
        .flatMap(text ->
            checked(
                EventQuery.brand(text),
                "brand_id must have 1 to " + EventQuery.MAX_BRAND_BYTES + " bytes in UTF-8."));
  }

  private Optional<Share> share() {
    return value("share")
        .flatMap(text ->
            checked(
                Share.parse(text),
                "share must be i/n with 1 <= i <= n <= " + Share.MOST_PARTS + ", as in 2/8."));
  }

  private Optional<Instant> time(String name) {
    return value(name).flatMap(text -> checked(Rfc3339.parse(text), name + TIME_RULE));
  }

  private int limit() {
    return value("limit")
        .flatMap(text ->
            checked(
                Optional.of(text)
                    .filter(it -> it.matches("[1-9]\\d{0,3}"))
                    .map(Integer::valueOf)
                    .filter(it -> it <= EventFeed.MOST_ENTRIES),
                "limit must be an integer from 1 to " + EventFeed.MOST_ENTRIES + "."))
        .orElse(DEFAULT_LIMIT);
  }

  private Set<String> include() {
    String include = value("include").orElse("");
    return switch (include) {
      case "" -> Set.of();
      case "payload", "erasures" -> Set.of(include);
      case "payload,erasures", "erasures,payload" -> Set.of("payload", "erasures");
      default -> {
        faults.add("include must be payload, erasures, or both with a comma.");
        yield Set.of();
      }
    };
  }

  private <T> Optional<T> checked(Optional<T> value, String rule) {
    if (value.isEmpty()) {
      faults.add(rule);
    }
    return value;
  }
}
