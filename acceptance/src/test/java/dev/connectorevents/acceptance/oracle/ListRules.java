package dev.connectorevents.acceptance.oracle;

import static dev.connectorevents.acceptance.oracle.Oracle.FORBIDDEN;
import static dev.connectorevents.acceptance.oracle.Oracle.OK;
import static dev.connectorevents.acceptance.oracle.Oracle.require;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.oracle.Oracle.Ask;
import dev.connectorevents.acceptance.oracle.Slot.Fate;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.user.Role;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Which pages of a list, or of a feed, are allowed. */
final class ListRules {

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
    judgeEnd(answer.body(), hasMore);
    if (!hasMore) {
      judgeAll();
    }
    return hasMore;
  }

  private void judgeEnd(JsonNode page, boolean hasMore) {
    boolean hasNext = page.has("next");
    require(hasNext == (asked.isFeed() || hasMore), "more is " + hasMore + ", and next is wrong");
    require(page.has("head") != asked.isOfBrandIndex(), "head is wrong: " + page);
    require(page.has("head") || !page.has("whole_until"), "whole_until is wrong: " + page);
    require(page.has("whole_until") || !page.has("whole_since"), "whole_since is wrong: " + page);
    if (page.has("head")) {
      long head = page.path("head").asLong();
      require(head >= oracle.head, "head was " + oracle.head + ", and is " + head);
      oracle.head = head;
    }
  }

  private void judgeAll() {
    judgeOrder();
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

  private void judgeOrder() {
    if (asked.isOfBrandIndex()) {
      List<String> times = entries.stream().map(it -> it.path("created_at").asText()).toList();
      require(
          times.stream().sorted(Comparator.reverseOrder()).toList().equals(times),
          "not newest first: " + times);
      return;
    }
    List<Long> positions = entries.stream().map(it -> it.path("position").asLong()).toList();
    Comparator<Long> order = asked.isFeed() ? Comparator.naturalOrder() : Comparator.reverseOrder();
    require(
        positions.stream().distinct().sorted(order).toList().equals(positions),
        "not in order: " + positions);
    entries.forEach(entry -> {
      long position = entry.path("position").asLong();
      require(position >= 1 && position <= oracle.head, "past head: " + entry);
      String what = id(entry) + (entry.has("erased_at") ? " erased" : "");
      String before = oracle.positions.putIfAbsent(position, what);
      require(before == null || before.equals(what), position + " was " + before + ": " + entry);
    });
  }

  private static String id(JsonNode entry) {
    return entry.path("id").asText();
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
              && asked.isInShare(stored.first(), id(entry))
              && mayHave(stored.at(), stored.latest())
              && reaches().anyMatch(it -> it.contains(stored.first().type()))
              && entry.path("user_id").asText().equals(slot.user.id)
              && stored.isShownIn(entry)
              && hasPayload(stored.first(), entry);
      case Fate.Erased(Instant at, Instant latest) ->
          asked.hasErasures()
              && entry.has("erased_at")
              && !Instant.parse(entry.path("erased_at").asText()).isBefore(at)
              && mayHave(at, latest);
    };
  }

  /** Whether the list may cover what was stored between these times. */
  private boolean mayHave(Instant earliest, Instant latest) {
    return asked.isOfBrandIndex()
        ? asked.covers(earliest) || asked.covers(earliest.plus(Walk.PAUSE))
        : oracle.numberingOf(earliest, latest).times().stream().anyMatch(asked::covers);
  }

  private boolean mustHave(Instant earliest, Instant latest) {
    if (asked.isOfBrandIndex()) {
      return asked.covers(earliest) && asked.covers(earliest.plus(Walk.PAUSE));
    }
    Oracle.Numbering numbering = oracle.numberingOf(earliest, latest);
    return numbering.isSure() && numbering.times().stream().allMatch(asked::covers);
  }

  private boolean mayLack(Fate fate, Slot slot) {
    return switch (fate) {
      case Fate.Absent() -> true;
      case Fate.Stored stored ->
          !asked.selects(stored)
              || !asked.isInShare(stored.first(), slot.id.orElseThrow())
              || !mustHave(stored.at(), stored.latest())
              || !reaches().allMatch(it -> it.contains(stored.first().type()));
      case Fate.Erased(Instant at, Instant latest) ->
          !asked.hasErasures()
              || !mustHave(at, latest)
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
