package dev.connectorevents.acceptance.oracle;

import static dev.connectorevents.acceptance.oracle.Oracle.FORBIDDEN;
import static dev.connectorevents.acceptance.oracle.Oracle.OK;
import static dev.connectorevents.acceptance.oracle.Oracle.require;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.oracle.Oracle.Ask;
import dev.connectorevents.acceptance.oracle.Slot.Fate;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.event.EventPosition;
import dev.connectorevents.user.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** Which pages of a list, or of a feed, are allowed. */
final class ListRules {

  /** What is younger may be missing in a list. A feed does not have it yet. */
  private static final Duration INCOMPLETE = Duration.ofSeconds(20);

  /** From its first call to its last one. */
  private static final Duration LONGEST_ERASURE = Duration.ofMinutes(2);

  private static final int MOST_CHARACTERS_OF_ONE_ITEM = 400_000;

  private final Oracle oracle;
  private final KnownToken token;
  private final AskedList asked;
  private final List<JsonNode> entries = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();

  /** Rules for the pages of one list, between which nothing else happens. */
  ListRules(Oracle oracle, KnownToken token, AskedList asked) {
    this.oracle = oracle;
    this.token = token;
    this.asked = asked;
  }

  /** Judges an answer, and all pages if it is the last one. */
  boolean hasMore(Answer answer) {
    oracle.nextRequest();
    Ask ask =
        new Ask(
            token,
            Optional.of(Role.CONSUMER),
            true,
            each -> asked.isWrong() || each.reach().overlaps(asked.types()),
            FORBIDDEN,
            Set.of(asked.isWrong() ? "422 validation_failed" : OK));
    if (!oracle.isSettled(Oracle.reply(answer), ask) || answer.status() != 200) {
      return false;
    }
    answer.body().path("events").forEach(entries::add);
    text.append(answer.text());
    boolean hasMore = answer.body().path("more").asBoolean();
    boolean isOver =
        !hasMore
            && (!asked.isFeed() || asked.to().filter(it -> !it.isAfter(complete())).isPresent());
    require(answer.body().has("next") != isOver, "more is " + hasMore + ", and next is wrong");
    if (!hasMore) {
      judgeAll();
    }
    return hasMore;
  }

  private Instant complete() {
    return oracle.now().minus(INCOMPLETE);
  }

  private void judgeAll() {
    Comparator<EventPosition> order =
        asked.isFeed() ? Comparator.naturalOrder() : Comparator.reverseOrder();
    List<EventPosition> places = entries.stream().map(ListRules::place).toList();
    require(
        places.stream().distinct().sorted(order).toList().equals(places),
        "not in order: " + places);
    require(
        places.stream().map(EventPosition::createdAt).allMatch(this::mayHave),
        "outside of its times: " + places);
    Map<String, JsonNode> byId = new HashMap<>();
    entries.forEach(entry -> require(byId.put(id(entry), entry) == null, "twice: " + entry));
    for (Slot slot : oracle.slots) {
      if (slot.id.isPresent()) {
        JsonNode entry = byId.remove(slot.id.get());
        slot.learn(fate -> entry == null ? mayLack(fate, slot) : shows(entry, fate, slot));
        require(slot.fates().findAny().isPresent(), slot.sent + " is listed as " + entry);
      }
    }
    byId.values().forEach(entry -> require(isOfUnnamed(entry), "nobody sent " + entry));
  }

  private static EventPosition place(JsonNode entry) {
    String time = entry.has("erased_at") ? "erased_at" : "created_at";
    return new EventPosition(Instant.parse(entry.path(time).asText()), UUID.fromString(id(entry)));
  }

  private static String id(JsonNode entry) {
    return entry.path("id").asText();
  }

  private boolean mayHave(Instant time) {
    return asked.covers(time) && (!asked.isFeed() || time.isBefore(complete()));
  }

  /** An event whose outcome is unknown has an id that no answer has named. */
  private boolean isOfUnnamed(JsonNode entry) {
    return oracle.slots.stream()
        .filter(slot -> slot.id.isEmpty())
        .anyMatch(slot -> slot.fates().anyMatch(fate -> shows(entry, fate, slot)));
  }

  private boolean shows(JsonNode entry, Fate fate, Slot slot) {
    return switch (fate) {
      case Fate.Absent() -> false;
      case Fate.Stored stored ->
          asked.selects(stored)
              && reaches().anyMatch(it -> it.contains(stored.first().type()))
              && entry.path("user_id").asText().equals(slot.user.id)
              && stored.isShownIn(entry)
              && hasPayload(stored.first(), entry);
      case Fate.Erased(Instant at) ->
          asked.hasErasures() && entry.has("erased_at") && !place(entry).createdAt().isBefore(at);
    };
  }

  private boolean mayLack(Fate fate, Slot slot) {
    return switch (fate) {
      case Fate.Absent() -> true;
      case Fate.Stored stored ->
          !asked.selects(stored)
              || !stored.at().plus(Walk.PAUSE).isBefore(complete())
              || !reaches().allMatch(it -> it.contains(stored.first().type()));
      case Fate.Erased(Instant at) ->
          !asked.hasErasures()
              || !asked.covers(at)
              || !at.plus(LONGEST_ERASURE).isBefore(complete())
              || (slot.key.isEmpty() && !oracle.now().isBefore(at.plus(ReadRules.TOMBSTONE)));
    };
  }

  /** The scopes by which the service may judge. */
  private Stream<Reach> reaches() {
    return oracle.standings(token.user()).map(Standing::reach);
  }

  private boolean hasPayload(SentEvent first, JsonNode entry) {
    if (!asked.hasPayloads()) {
      return !entry.has("payload");
    }
    return first.payload().length() > MOST_CHARACTERS_OF_ONE_ITEM
        ? entry.path("payload_at").asText().equals(Connectors.EVENTS + "/" + id(entry) + "/payload")
        : first.isPartOf(text.toString());
  }
}
