package dev.connectorevents.eventformat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads each parameter of a list's query, and collects the rules that are broken. */
final class EventListReader {

  private static final Set<String> PARAMETERS =
      Set.of("event_type", "brand_id", "from", "to", "limit", "cursor");

  private static final int DEFAULT_LIMIT = 50;
  private static final int MAX_LIMIT = 100;

  /** A longer brand is no key of the index: it has no events there. */
  private static final int MAX_BRAND_BYTES = 2_046;

  private static final String TIME_RULE =
      " must be a date-time with an offset (RFC 3339), as in 2026-11-20T12:00:00Z; write + as"
          + " %2B.";

  private final Map<String, String> query;
  private final List<String> faults = new ArrayList<>();

  EventListReader(Map<String, String> query) {
    this.query = query;
  }

  EventListRequest read() {
    if (!PARAMETERS.containsAll(query.keySet())) {
      faults.add(
          "A list takes only the parameters event_type, brand_id, from, to, limit and cursor.");
    }
    Optional<EventQuery.Filter> filter = filter();
    Optional<Instant> from = time("from");
    Optional<Instant> to = time("to");
    if (from.isPresent() && to.isPresent() && !from.get().isBefore(to.get())) {
      faults.add("from must be before to.");
    }
    int limit = limit();
    if (filter.isEmpty() || !faults.isEmpty()) {
      return new EventListRequest.Invalid(String.join(" ", faults));
    }
    EventQuery events = new EventQuery(filter.get(), from, to);
    Optional<String> text = Optional.ofNullable(query.get("cursor"));
    Optional<EventCursor> cursor = text.flatMap(it -> EventCursor.parse(it, events));
    return text.isPresent() && cursor.isEmpty()
        ? new EventListRequest.Invalid(
            "cursor must be the next of an earlier page, with the same event_type or brand_id,"
                + " from and to.")
        : new EventListRequest.Valid(events, limit, cursor);
  }

  private Optional<EventQuery.Filter> filter() {
    if (query.containsKey("event_type") == query.containsKey("brand_id")) {
      faults.add("Send exactly one of event_type and brand_id.");
      return Optional.empty();
    }
    return query.containsKey("event_type") ? type() : brand();
  }

  private Optional<EventQuery.Filter> type() {
    String text = query.getOrDefault("event_type", "");
    Optional<EventType> type = EventType.parse(text);
    if (type.isEmpty()) {
      faults.add(
          EventType.parse(text.toLowerCase(Locale.ROOT)).isPresent()
              ? "The provider in event_type must be in lower case, as in shopify.orders/create."
              : "event_type must be one event type, percent-encoded; " + EventType.RULE + ".");
    }
    return type.map(EventQuery.OfType::new);
  }

  private Optional<EventQuery.Filter> brand() {
    String brand = query.getOrDefault("brand_id", "");
    return read(
        Optional.of(brand)
            .filter(it -> !it.isEmpty() && it.getBytes(UTF_8).length <= MAX_BRAND_BYTES)
            .map(EventQuery.OfBrand::new),
        "brand_id must have 1 to " + MAX_BRAND_BYTES + " bytes in UTF-8.");
  }

  private Optional<Instant> time(String name) {
    return query.containsKey(name)
        ? read(Rfc3339.parse(query.getOrDefault(name, "")), name + TIME_RULE)
        : Optional.empty();
  }

  private int limit() {
    return read(
            Optional.of(query.getOrDefault("limit", "" + DEFAULT_LIMIT))
                .filter(text -> text.matches("[1-9]\\d?|" + MAX_LIMIT))
                .map(Integer::valueOf),
            "limit must be an integer from 1 to " + MAX_LIMIT + ".")
        .orElse(DEFAULT_LIMIT);
  }

  private <T> Optional<T> read(Optional<? extends T> value, String rule) {
    if (value.isEmpty()) {
      faults.add(rule);
    }
    return value.map(it -> it);
  }
}
