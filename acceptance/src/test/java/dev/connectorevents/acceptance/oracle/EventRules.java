package dev.connectorevents.acceptance.oracle;

import static dev.connectorevents.acceptance.oracle.Oracle.FORBIDDEN;
import static dev.connectorevents.acceptance.oracle.Oracle.OK;
import static dev.connectorevents.acceptance.oracle.Oracle.require;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.oracle.Oracle.Ask;
import dev.connectorevents.acceptance.oracle.Slot.Fate;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.user.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Which answers are allowed to requests that store, find, read and erase events. */
final class EventRules {

  private static final String CREATED = "201";
  private static final String REPLAYED = "201 replayed";
  private static final String REUSED = "422 idempotency_key_reused";
  private static final String ERASED = "410 event_erased";
  private static final String NOT_FOUND = "404 not_found";

  /** How long an erased event without a key answers 410. */
  private static final Duration TOMBSTONE = Duration.ofDays(35);

  private final Oracle oracle;

  EventRules(Oracle oracle) {
    this.oracle = oracle;
  }

  Slot slot(KnownUser user, Optional<String> key) {
    return oracle.slots.stream()
        .filter(slot -> slot.user == user && key.isPresent() && slot.key.equals(key))
        .findFirst()
        .orElseGet(() -> new Slot(user, key));
  }

  void post(KnownToken token, SentEvent sent, Answer answer) {
    oracle.nextRequest();
    String reply = Oracle.reply(answer);
    Slot slot = slot(token.user(), sent.key());
    Ask ask = sending(token, each -> each.reach().contains(sent.type()), replies(slot, sent));
    if (oracle.isSettled(reply, ask)) {
      learn(slot, sent, reply, answer.body(), answer.body());
    } else {
      mayBeStored(slot, sent);
    }
  }

  /** A body that the service refuses: nothing is stored. */
  void refused(KnownToken token, String refusal, Answer answer) {
    oracle.nextRequest();
    oracle.isSettled(Oracle.reply(answer), sending(token, any -> true, Set.of(refusal)));
  }

  void batch(KnownToken token, List<SentEvent> events, Answer answer) {
    oracle.nextRequest();
    if (!oracle.isSettled(Oracle.reply(answer), sending(token, any -> true, Set.of(OK)))) {
      events.forEach(sent -> mayBeStored(slot(token.user(), sent.key()), sent));
    } else if (answer.status() == 200) {
      JsonNode results = answer.body().path("results");
      require(results.size() == events.size(), "the results are " + results.size());
      for (int i = 0; i < events.size(); i++) {
        result(token, events.get(i), results.get(i));
      }
    }
  }

  private void result(KnownToken token, SentEvent sent, JsonNode result) {
    String code = result.at("/problem/code").asText();
    String reply =
        result.path("status").asText()
            + (code.isEmpty() ? "" : " " + code)
            + (result.path("replayed").asBoolean() ? " replayed" : "");
    Slot slot = slot(token.user(), sent.key());
    Ask ask = sending(token, each -> each.reach().contains(sent.type()), replies(slot, sent));
    Set<String> allowed = new HashSet<>(oracle.allowed(ask));
    allowed.remove(Oracle.REVOKED); // the whole batch would have had it
    if (oracle.isSettled(reply, allowed)) {
      learn(slot, sent, reply, result.path("event"), result.path("problem"));
    } else {
      mayBeStored(slot, sent);
    }
  }

  private static Ask sending(KnownToken token, Predicate<Standing> mayUse, Set<String> inside) {
    return new Ask(token, Optional.of(Role.CONNECTOR), true, mayUse, FORBIDDEN, inside);
  }

  private static Set<String> replies(Slot slot, SentEvent sent) {
    return slot.fates().map(fate -> reply(fate, sent)).collect(Collectors.toSet());
  }

  private static String reply(Fate fate, SentEvent sent) {
    return switch (fate) {
      case Fate.Absent() -> CREATED;
      case Fate.Stored(SentEvent first) -> first.isSameEventAs(sent) ? REPLAYED : REUSED;
      case Fate.Erased erased -> ERASED;
    };
  }

  private void mayBeStored(Slot slot, SentEvent sent) {
    if (sent.key().isPresent() && slot.fates().anyMatch(Fate.Absent.class::isInstance)) {
      slot.mayBecome(new Fate.Stored(sent));
      keep(slot, sent);
    }
  }

  private void keep(Slot slot, SentEvent sent) {
    slot.sent = Optional.of(sent);
    if (!oracle.slots.contains(slot)) {
      oracle.slots.add(slot);
    }
  }

  private void learn(Slot slot, SentEvent sent, String reply, JsonNode event, JsonNode problem) {
    switch (reply) {
      case CREATED -> {
        require(sent.isShownIn(event), "the answer shows another event: " + event);
        named(slot, sent, event.path("id").asText());
        slot.become(new Fate.Stored(sent));
      }
      case REPLAYED -> {
        slot.learn(fate ->
            fate instanceof Fate.Stored(SentEvent first)
                && first.isSameEventAs(sent)
                && first.isShownIn(event));
        require(slot.fates().findAny().isPresent(), "the replay shows another event: " + event);
        named(slot, sent, event.path("id").asText());
      }
      case REUSED -> {
        slot.learn(fate -> reply(fate, sent).equals(REUSED));
        if (problem.has("event_id")) {
          named(slot, sent, problem.path("event_id").asText());
        }
      }
      case ERASED -> slot.learn(Fate.Erased.class::isInstance);
      default -> {} // a refusal by token, role or scope
    }
  }

  /** Notes the slot's id, which no other slot has, and which never changes. */
  private void named(Slot slot, SentEvent sent, String id) {
    require(slot.id.filter(known -> !known.equals(id)).isEmpty(), "the slot has got a second id");
    boolean isTaken =
        oracle.slots.stream().anyMatch(it -> it != slot && it.id.equals(Optional.of(id)));
    require(!isTaken, "two events have one id");
    slot.id = Optional.of(id);
    keep(slot, sent);
  }

  void missing(KnownToken token, List<String> keys, Answer answer) {
    oracle.nextRequest();
    Ask ask = sending(token, any -> true, Set.of(OK));
    if (!oracle.isSettled(Oracle.reply(answer), ask) || answer.status() != 200) {
      return;
    }
    List<String> named = new ArrayList<>();
    answer.body().path("missing").forEach(key -> named.add(key.asText()));
    Set<String> expected = new LinkedHashSet<>(keys);
    expected.retainAll(named);
    require(List.copyOf(expected).equals(named), "not the keys sent, in their order: " + named);
    for (String key : keys) {
      Slot slot = slot(token.user(), Optional.of(key));
      slot.learn(fate -> fate instanceof Fate.Absent == named.contains(key));
      require(slot.fates().findAny().isPresent(), "missing is wrong about " + key);
    }
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
