package dev.connectorevents.acceptance.oracle;

import static dev.connectorevents.acceptance.oracle.EventRules.ERASED;
import static dev.connectorevents.acceptance.oracle.Oracle.OK;
import static dev.connectorevents.acceptance.oracle.Oracle.require;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.oracle.Oracle.Ask;
import dev.connectorevents.acceptance.oracle.Slot.Fate;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.user.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Which answers are allowed to requests that read and erase events. */
final class ReadRules {

  private static final String NOT_FOUND = "404 not_found";

  /** How long an erased event without a key answers 410. */
  static final Duration TOMBSTONE = Duration.ofDays(35);

  private final Oracle oracle;

  /** The ids of events that an answer says it has erased. */
  private final Set<String> erased = new HashSet<>();

  ReadRules(Oracle oracle) {
    this.oracle = oracle;
  }

  /**
   * Judges a read.
   *
   * @param before the fates of the event when it began
   */
  void read(KnownToken token, Slot slot, Set<Fate> before, boolean isPayload, Answer answer) {
    oracle.nextRequest();
    String reply = Oracle.reply(answer);
    Set<Fate> fates = slot.fates().collect(Collectors.toSet());
    boolean isUnchanged = fates.equals(before);
    fates.addAll(before);
    Set<String> allowed = new HashSet<>();
    fates.forEach(fate -> allowed.addAll(oracle.allowed(reading(token, fate))));
    if (!oracle.isSettled(reply, allowed)) {
      return;
    }
    require(
        !reply.equals(OK) || fates.stream().anyMatch(fate -> isIn(answer, fate, isPayload)),
        "it reads as another event");
    if (isUnchanged) {
      learn(token, slot, reply, answer, isPayload);
    }
  }

  private void learn(KnownToken token, Slot slot, String reply, Answer answer, boolean isPayload) {
    if (slot.fates().count() == 1) {
      oracle.isSettled(reply, reading(token, slot.fates().findFirst().orElseThrow()));
    } else {
      slot.learn(fate -> oracle.allowed(reading(token, fate)).contains(reply));
    }
    if (reply.equals(OK)) {
      slot.learn(fate -> isIn(answer, fate, isPayload));
    }
  }

  private static boolean isIn(Answer answer, Fate fate, boolean isPayload) {
    return fate instanceof Fate.Stored stored
        && (isPayload
            ? stored.first().isStoredAs(answer.text())
            : stored.first().isPartOf(answer.text()) && stored.isShownIn(answer.body()));
  }

  private Ask reading(KnownToken token, Fate fate) {
    return switch (fate) {
      case Fate.Absent() -> reading(token, any -> true, Set.of(NOT_FOUND));
      case Fate.Stored stored ->
          reading(token, each -> each.reach().contains(stored.first().type()), Set.of(OK));
      case Fate.Erased(Instant at, Instant _) ->
          reading(
              token,
              each -> each.reach().isWhole(),
              oracle.now().isBefore(at.plus(TOMBSTONE))
                  ? Set.of(ERASED)
                  : Set.of(ERASED, NOT_FOUND));
    };
  }

  private static Ask reading(KnownToken token, Predicate<Standing> mayUse, Set<String> inside) {
    return new Ask(token, Optional.of(Role.CONSUMER), true, mayUse, NOT_FOUND, inside);
  }

  /** An operator has begun to erase the events that are selected. */
  void erasing(BiPredicate<Slot, Fate.Stored> selected) {
    mayBeErased(selected, Instant.MAX);
  }

  private void mayBeErased(BiPredicate<Slot, Fate.Stored> selected, Instant latest) {
    Instant at = oracle.begun();
    for (Slot slot : oracle.slots) {
      boolean isSelected = slot.stored().anyMatch(it -> selected.test(slot, it));
      boolean isErasing = slot.fates().anyMatch(new Fate.Erased(at, Instant.MAX)::equals);
      if (isSelected || isErasing) {
        slot.mayBecome(new Fate.Erased(at, latest));
        slot.learn(
            fate -> !fate.equals(new Fate.Erased(at, Instant.MAX)) || latest.equals(Instant.MAX));
      }
    }
  }

  /** Judges an answer of the erasure, whose reply is {@code 200} or a problem's. */
  void erased(BiPredicate<Slot, Fate.Stored> selected, String reply, JsonNode answer) {
    oracle.nextRequest();
    mayBeErased(selected, oracle.now());
    if (!oracle.isSettled(reply, Set.of(OK))) {
      return;
    }
    if (answer.path("erased").asInt() == answer.path("ids").size()) {
      answer
          .path("ids")
          .forEach(id -> require(erased.add(id.asText()), "two erasures have erased " + id));
    }
    if (answer.path("complete").asBoolean()) {
      oracle.slots.forEach(slot ->
          slot.learn(fate -> !(fate instanceof Fate.Stored stored && selected.test(slot, stored))));
    }
  }
}
