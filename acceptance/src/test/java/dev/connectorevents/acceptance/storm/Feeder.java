package dev.connectorevents.acceptance.storm;

import static java.util.stream.Collectors.toSet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.event.EventPosition;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A consumer that follows the feed, and trusts it: it keeps what it gets, and {@code next}. */
final class Feeder {

  private final String name;
  private final String token;
  private final String query;
  private final Predicate<String> sees;
  private final Consumer<String> violations;
  private final Map<String, Integer> events = new HashMap<>();
  private final Map<String, Integer> erasures = new HashMap<>();
  private Optional<String> next = Optional.empty();
  private EventPosition position;

  /**
   * A page of the feed.
   *
   * @param end where {@code next} stands
   */
  private record Page(
      List<JsonNode> entries,
      String next,
      EventPosition end,
      boolean hasMore,
      EventPosition completeUntil) {

    static Page of(JsonNode body) {
      List<JsonNode> entries = new ArrayList<>();
      body.path("events").forEach(entries::add);
      String next = body.path("next").asText();
      return new Page(
          entries,
          next,
          place(next),
          body.path("more").asBoolean(),
          EventPosition.before(Instant.parse(body.path("complete_until").asText())));
    }

    private static EventPosition place(String cursor) {
      byte[] bytes = Base64.getUrlDecoder().decode(cursor);
      ByteBuffer buffer = ByteBuffer.wrap(bytes, 1, bytes.length - 1); // after the version
      return new EventPosition(
          Instant.ofEpochMilli(buffer.getLong()), new UUID(buffer.getLong(), buffer.getLong()));
    }
  }

  /**
   * @param query the parameters of its feed
   * @param sees the event types that its feed has
   */
  Feeder(
      String name,
      String token,
      String query,
      Instant from,
      Predicate<String> sees,
      Consumer<String> violations) {
    this.name = name;
    this.token = token;
    this.query = query + "&from=" + from;
    this.position = EventPosition.before(from);
    this.sees = sees;
    this.violations = violations;
  }

  String token() {
    return token;
  }

  String path(int limit) {
    return "/api/webhook-events?order=asc&%s&limit=%d%s"
        .formatted(query, limit, next.map("&cursor="::concat).orElse(""));
  }

  String listPath(int limit, Optional<String> cursor) {
    return "/api/webhook-events?%s&limit=%d%s"
        .formatted(
            query
                .replace("include=payload,erasures", "include=payload")
                .replace("include=erasures&", ""),
            limit,
            cursor.map("&cursor="::concat).orElse(""));
  }

  /**
   * Judges a list, newest first.
   *
   * @param stored what must be there, if it was created before {@code completeUntil}
   */
  void judgeList(
      List<JsonNode> entries, Instant completeUntil, List<SentEvent> stored, List<String> erased) {
    List<EventPosition> places = entries.stream().map(Feeder::place).toList();
    if (!places.equals(places.stream().distinct().sorted(Comparator.reverseOrder()).toList())) {
      violations.accept("%s lists in another order: %s".formatted(name, places));
    }
    Set<String> ids = entries.stream().map(it -> it.path("id").asText()).collect(toSet());
    stored.stream()
        .filter(event -> sees.test(event.type()))
        .filter(event -> event.createdAt().isBefore(completeUntil) && !ids.contains(event.id()))
        .forEach(event -> violations.accept("%s does not list %s".formatted(name, event)));
    entries.stream()
        .filter(entry -> !sees.test(entry.path("event_type").asText()))
        .forEach(entry -> violations.accept("%s may not list %s".formatted(name, entry)));
    erased.stream()
        .filter(ids::contains)
        .forEach(id -> violations.accept("%s lists %s, which is erased".formatted(name, id)));
  }

  /**
   * Judges an answer.
   *
   * @param isKept whether it is stored; if not, the feeder was killed before that
   * @return whether the feed has more
   */
  boolean take(Answer answer, boolean isKept) {
    if (answer.status() != 200 || !answer.body().has("next")) {
      violations.accept(name + " gets " + answer.text());
      return false;
    }
    Page page = Page.of(answer.body());
    judgePlaces(page);
    if (isKept) {
      page.entries().forEach(this::keep);
      next = Optional.of(page.next());
      position = page.end();
    }
    return page.hasMore();
  }

  private void judgePlaces(Page page) {
    EventPosition last = position;
    for (JsonNode entry : page.entries()) {
      EventPosition place = place(entry);
      if (place.compareTo(last) <= 0) {
        violations.accept("%s gets %s, but stands at %s".formatted(name, entry, last));
      }
      last = place;
    }
    if (last.compareTo(page.end()) > 0) {
      violations.accept("%s gets %s after next, %s".formatted(name, last, page.end()));
    }
    if (!page.entries().isEmpty() && last.compareTo(page.completeUntil()) >= 0) {
      violations.accept(
          "%s gets %s past complete_until, %s".formatted(name, last, page.completeUntil()));
    }
    if (page.hasMore() && page.end().compareTo(position) <= 0) {
      violations.accept("%s stays at %s: next is %s".formatted(name, position, page.end()));
    }
    EventPosition end =
        page.completeUntil().compareTo(position) > 0 ? page.completeUntil() : position;
    if (!page.hasMore() && !page.end().equals(end)) {
      violations.accept("%s ends at %s instead of %s".formatted(name, page.end(), end));
    }
  }

  private static EventPosition place(JsonNode entry) {
    String time = entry.has("erased_at") ? "erased_at" : "created_at";
    return new EventPosition(
        Instant.parse(entry.path(time).asText()), UUID.fromString(entry.path("id").asText()));
  }

  private void keep(JsonNode entry) {
    String id = entry.path("id").asText();
    if (entry.has("erased_at")) {
      erasures.merge(id, 1, Integer::sum);
    } else {
      events.merge(id, 1, Integer::sum);
      if (!sees.test(entry.path("event_type").asText())) {
        violations.accept("%s may not see %s".formatted(name, entry));
      }
      if (query.contains("payload") && entry.path("payload").isEmpty()) {
        violations.accept("%s has no payload of %s".formatted(name, entry));
      }
    }
  }

  /** Checks that it has an event, if it has passed it. Call before the event is erased. */
  void judgeBeforeErasure(SentEvent event) {
    if (sees.test(event.type())
        && event.place().compareTo(position) <= 0
        && !events.containsKey(event.id())) {
      violations.accept("%s has passed %s".formatted(name, event));
    }
  }

  /** Checks that it has got all that was stored, once. Call when its feed has no more. */
  void judgeAll(List<SentEvent> stored, List<String> erased) {
    for (SentEvent event : stored) {
      if (sees.test(event.type())) {
        judgeTimes(event, events, event.id());
      }
    }
    erased.forEach(id -> judgeTimes("the erasure of " + id, erasures, id));
    judgeNoneTwice(events);
    judgeNoneTwice(erasures);
  }

  private void judgeTimes(Object what, Map<String, Integer> counts, String id) {
    int times = counts.getOrDefault(id, 0);
    if (times != 1) {
      violations.accept("%s has got %s %d times".formatted(name, what, times));
    }
  }

  private void judgeNoneTwice(Map<String, Integer> counts) {
    counts.forEach((id, times) -> {
      if (times > 1) {
        violations.accept("%s has got %s %d times".formatted(name, id, times));
      }
    });
  }

  /** An acknowledged event. */
  record SentEvent(String id, String type, Instant createdAt) {

    private EventPosition place() {
      return new EventPosition(createdAt, UUID.fromString(id));
    }
  }
}
