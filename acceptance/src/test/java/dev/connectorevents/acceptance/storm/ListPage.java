package dev.connectorevents.acceptance.storm;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * One page of a list of events, as the service answered it.
 *
 * @param filter the query's filter, such as {@code brand_id=b0}
 * @param cursor the query's cursor; empty for the first page
 * @param positions of the events; 0 in a brand's list
 */
record ListPage(
    ClientCall call,
    String filter,
    Optional<String> cursor,
    List<Entry> events,
    List<Long> positions,
    Optional<String> next) {

  private static final String CURSOR = "cursor=";

  /** An event, as a list page shows it. */
  record Entry(String id, String type, Instant createdAt) {

    private static Entry of(JsonNode event) {
      return new Entry(
          event.path("id").asText(),
          event.path("event_type").asText(),
          Instant.parse(event.path("created_at").asText()));
    }

    static Entry of(TableRow row) {
      return new Entry(row.id(), row.type(), row.createdAt());
    }
  }

  static ListPage of(ClientCall call) {
    JsonNode body = Client.json(call.body().getBytes(UTF_8));
    List<String> query = List.of(call.rest().split("&", -1));
    return new ListPage(
        call,
        query.getFirst(),
        query.stream()
            .filter(it -> it.startsWith(CURSOR))
            .map(it -> it.substring(CURSOR.length()))
            .findFirst(),
        StreamSupport.stream(body.path("events").spliterator(), false).map(Entry::of).toList(),
        StreamSupport.stream(body.path("events").spliterator(), false)
            .map(event -> event.path("position").asLong())
            .toList(),
        Stream.of(body.path("next").asText()).filter(it -> !it.isEmpty()).findFirst());
  }

  /** Whether the index of brands has the list, and not the feed. */
  boolean isOfBrand() {
    return filter.startsWith("brand_id=");
  }

  /** When the last event of this page was created; empty if the page has no events. */
  Optional<Instant> end() {
    return events.isEmpty() ? Optional.empty() : Optional.of(events.getLast().createdAt());
  }

  /** The query for the next page; empty if this page is the last one. */
  Optional<String> following(int limit) {
    return next.map(it -> filter + "&limit=" + limit + "&" + CURSOR + it);
  }
}
