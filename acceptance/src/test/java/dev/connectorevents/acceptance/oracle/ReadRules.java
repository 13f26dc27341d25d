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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Which answers are allowed to requests that read and erase events. */
final class ReadRules {

  private static final String NOT_FOUND = "404 not_found";

  /** How long an erased event without a key answers 410. */
  private static final Duration TOMBSTONE = Duration.ofDays(35);

  private final Oracle oracle;

  ReadRules(Oracle oracle) {
    this.oracle = oracle;
  }

  void read(KnownToken token, Slot slot, boolean isPayload, Answer answer) {
    oracle.nextRequest();
    String reply = Oracle.reply(answer);
    Set<String> allowed = new HashSet<>();
    slot.fates().forEach(fate -> allowed.addAll(oracle.allowed(reading(token, fate))));
    if (!oracle.isSettled(reply, allowed)) {
      return;
    }
    if (slot.fates().count() == 1) {
      oracle.isSettled(reply, reading(token, slot.fates().findFirst().orElseThrow()));
    } else {
      slot.learn(fate -> oracle.allowed(reading(token, fate)).contains(reply));
    }
    if (reply.equals(OK)) {
      slot.learn(
          fate -> fate instanceof Fate.Stored(SentEvent first) && isIn(answer, first, isPayload));
      require(slot.fates().findAny().isPresent(), "it reads as another event");
    }
  }

  private static boolean isIn(Answer answer, SentEvent first, boolean isPayload) {
    return isPayload
        ? first.isStoredAs(answer.text())
        : first.isPartOf(answer.text()) && first.isShownIn(answer.body());
  }

  private Ask reading(KnownToken token, Fate fate) {
    return switch (fate) {
      case Fate.Absent() -> reading(token, any -> true, Set.of(NOT_FOUND));
      case Fate.Stored(SentEvent first) ->
          reading(token, each -> each.reach().contains(first.type()), Set.of(OK));
      case Fate.Erased(Instant at) ->
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

  /** An operator has begun to erase these events. */
  void erasing(List<Slot> slots) {
    slots.stream()
        .filter(Slot::mayHoldAnEvent)
        .forEach(slot -> slot.mayBecome(new Fate.Erased(oracle.now())));
  }

  /** Judges an answer of the erasure, whose reply is {@code 200} or a problem's. */
  void erased(List<Slot> slots, String reply, JsonNode answer) {
    oracle.nextRequest();
    if (oracle.isSettled(reply, Set.of(OK)) && answer.path("complete").asBoolean()) {
      slots.forEach(slot -> slot.learn(Fate.Erased.class::isInstance));
    }
  }
}
