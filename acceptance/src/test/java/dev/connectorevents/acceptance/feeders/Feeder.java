package dev.connectorevents.acceptance.feeders;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** A consumer that follows the feed, and trusts it: it keeps what it gets, and {@code next}. */
final class Feeder {

  private final String name;
  private final String token;
  private final String query;
  private final Predicate<String> sees;
  private final Map<Long, String> sequence;
  private final Consumer<String> violations;
  private final Map<FedEvent, Integer> events = new HashMap<>();
  private final Map<String, Integer> erasures = new HashMap<>();
  private Optional<String> next = Optional.empty();
  private long position;
  private long head;

  /** Where the window ends that it reads; empty if it reads on and on. */
  private OptionalLong until = OptionalLong.empty();

  private int part = 1;
  private int parts = 1;

  /**
   * @param query the parameters of its feed
   * @param sees the event types that its feed has
   * @param sequence what any feeder has got at a position: the same for all
   */
  Feeder(
      String name,
      String token,
      String query,
      Predicate<String> sees,
      Map<Long, String> sequence,
      Consumer<String> violations) {
    this.name = name;
    this.token = token;
    this.query = query;
    this.sees = sees;
    this.sequence = sequence;
    this.violations = violations;
  }

  String name() {
    return name;
  }

  String token() {
    return token;
  }

  String path(int limit) {
    return "/api/webhook-events?order=asc&%s&limit=%d%s%s%s"
        .formatted(
            query,
            limit,
            next.map("&cursor="::concat).orElse(""),
            until.isPresent() ? "&until=" + feed() + until.getAsLong() : "",
            parts > 1 ? "&share=" + part + "/" + parts : "");
  }

  /** The name of the feed, and a hyphen. */
  private String feed() {
    return next.orElseThrow().replaceFirst("\\d+$", "");
  }

  /** Reads up to some position that it has seen, in pages that know of no later one. */
  void openWindow(RandomGenerator random) {
    if (until.isEmpty() && head > 0) {
      until = OptionalLong.of(position + random.nextLong(head - position + 1));
    }
  }

  /** Leaves half of its share to another feeder, which goes on at the same position. */
  Feeder divide() {
    Feeder other = new Feeder(name + "'", token, query, sees, sequence, violations);
    other.part = part + parts;
    parts *= 2;
    other.parts = parts;
    other.next = next;
    other.position = position;
    other.head = head;
    other.erasures.putAll(erasures);
    other.events.putAll(events);
    events.keySet().removeIf(event -> !hasShareOf(event.id()));
    other.events.keySet().removeIf(event -> !other.hasShareOf(event.id()));
    return other;
  }

  int parts() {
    return parts;
  }

  /** By the contract: without a brand, the first two bytes of the SHA-256 of the id. */
  private boolean hasShareOf(String id) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(id.getBytes(UTF_8));
      int number = Byte.toUnsignedInt(hash[0]) * 256 + Byte.toUnsignedInt(hash[1]);
      return number % parts + 1 == part;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }

  String listPath(int limit, Optional<String> cursor) {
    return "/api/webhook-events?%s&limit=%d%s"
        .formatted(query, limit, cursor.map("&cursor="::concat).orElse(""));
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
    JsonNode page = answer.body();
    List<JsonNode> entries = new ArrayList<>();
    page.path("events").forEach(entries::add);
    String cursor = page.path("next").asText();
    long end = Long.parseLong(cursor.substring(cursor.indexOf('-') + 1));
    long last = until.orElse(page.path("head").asLong());
    boolean hasMore = page.path("more").asBoolean();
    judge(entries, end);
    if (end < position || end > last || hasMore != end < last || (hasMore && end == position)) {
      violations.accept(
          "%s stands at %d, gets next %s, last %d, more %b"
              .formatted(name, position, cursor, last, hasMore));
    }
    boolean isInWindow = until.isPresent();
    if (isKept) {
      entries.forEach(this::keep);
      next = Optional.of(cursor);
      position = end;
      head = page.path("head").asLong();
      until = hasMore ? until : OptionalLong.empty();
    }
    return hasMore || isInWindow;
  }

  private void judge(List<JsonNode> entries, long end) {
    long last = position;
    for (JsonNode entry : entries) {
      long place = entry.path("position").asLong();
      if (place <= last || place > end) {
        violations.accept("%s gets %s between %d and %d".formatted(name, entry, last, end));
      }
      last = place;
      String before = sequence.putIfAbsent(place, content(entry));
      if (before != null && !before.equals(content(entry))) {
        violations.accept("%s gets %s, another has got %s".formatted(name, entry, before));
      }
    }
  }

  private static String content(JsonNode entry) {
    return (entry.has("erased_at") ? "erasure " : "") + entry.path("id").asText();
  }

  private void keep(JsonNode entry) {
    String id = entry.path("id").asText();
    if (entry.has("erased_at")) {
      erasures.merge(id, 1, Integer::sum);
    } else {
      events.merge(FedEvent.of(entry), 1, Integer::sum);
      if (!sees.test(entry.path("event_type").asText()) || !hasShareOf(id)) {
        violations.accept("%s may not see %s".formatted(name, entry));
      }
      if (query.contains("payload")
          && entry.path("payload").isEmpty()
          && !entry.has("payload_at")) {
        violations.accept("%s has no payload of %s".formatted(name, entry));
      }
    }
  }

  /**
   * Judges a whole list, newest first.
   *
   * @param numbered what must be there
   */
  void judgeList(List<JsonNode> entries, List<FedEvent> numbered, List<String> erased) {
    List<Long> places = entries.stream().map(it -> it.path("position").asLong()).toList();
    List<Long> order = new ArrayList<>(new HashSet<>(places));
    order.sort(Collections.reverseOrder());
    if (!places.equals(order)) {
      violations.accept("%s lists in another order: %s".formatted(name, places));
    }
    Set<String> contents = new HashSet<>(entries.stream().map(Feeder::content).toList());
    numbered.stream()
        .filter(event -> sees.test(event.type()) && !contents.contains(event.id()))
        .forEach(event -> violations.accept("%s does not list %s".formatted(name, event)));
    entries.stream()
        .filter(entry -> !entry.has("erased_at"))
        .filter(entry -> !sees.test(entry.path("event_type").asText()))
        .forEach(entry -> violations.accept("%s may not list %s".formatted(name, entry)));
    erased.stream()
        .filter(contents::contains)
        .forEach(id -> violations.accept("%s lists %s, which is erased".formatted(name, id)));
  }

  /** Checks that it has got all that was stored, once. Call when its feed has no more. */
  void judgeAll(List<FedEvent> stored, List<String> erased) {
    for (FedEvent event : stored) {
      if (sees.test(event.type()) && hasShareOf(event.id())) {
        judgeTimes(event, events.getOrDefault(event, 0));
      }
    }
    erased.forEach(id -> judgeTimes("the erasure of " + id, erasures.getOrDefault(id, 0)));
    judgeNoneTwice(events);
    judgeNoneTwice(erasures);
  }

  private void judgeTimes(Object what, int times) {
    if (times != 1) {
      violations.accept("%s has got %s %d times".formatted(name, what, times));
    }
  }

  private void judgeNoneTwice(Map<?, Integer> counts) {
    counts.forEach((what, times) -> {
      if (times > 1) {
        violations.accept("%s has got %s %d times".formatted(name, what, times));
      }
    });
  }

  /** An event as its sender and a feed see it. If it has expired, another one may get its id. */
  record FedEvent(String id, String type, String createdAt) {

    static FedEvent of(JsonNode event) {
      return new FedEvent(
          event.path("id").asText(),
          event.path("event_type").asText(),
          event.path("created_at").asText());
    }
  }
}
