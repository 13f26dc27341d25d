package dev.connectorevents.acceptance.oracle;

import static dev.connectorevents.acceptance.oracle.Oracle.FORBIDDEN;
import static dev.connectorevents.acceptance.oracle.Oracle.OK;
import static dev.connectorevents.acceptance.oracle.Oracle.require;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.oracle.Oracle.Ask;
import dev.connectorevents.acceptance.oracle.Slot.Fate;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.user.Role;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Which answers are allowed to requests that store events or find missing ones. */
final class EventRules {

  private static final String CREATED = "201";
  private static final String REPLAYED = "201 replayed";
  private static final String REUSED = "422 idempotency_key_reused";
  static final String ERASED = "410 event_erased";

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

  /** A step is about to send these. While it waits, others may send them too. */
  void sending(KnownUser user, List<SentEvent> events) {
    List<Slot> slots = new ArrayList<>();
    for (SentEvent sent : events) {
      Slot slot = slot(user, sent.key());
      slots.add(slot);
      if (oracle.isHeld() && sent.key().isPresent() && !oracle.slots.contains(slot)) {
        keep(slot, sent);
      }
    }
    oracle.about(slots);
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
      case Fate.Stored stored -> stored.first().isSameEventAs(sent) ? REPLAYED : REUSED;
      case Fate.Erased erased -> ERASED;
    };
  }

  private void mayBeStored(Slot slot, SentEvent sent) {
    if (slot.fates().anyMatch(Fate.Absent.class::isInstance)) {
      slot.mayBecome(new Fate.Stored(sent, oracle.begun(), oracle.now()));
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
        Fate.Stored stored = new Fate.Stored(sent, oracle.begun(), oracle.now());
        require(stored.isShownIn(event), "the answer shows another event: " + event);
        named(slot, sent, event.path("id").asText());
        slot.become(stored);
      }
      case REPLAYED -> {
        slot.learn(fate ->
            fate instanceof Fate.Stored stored
                && stored.first().isSameEventAs(sent)
                && stored.isShownIn(event));
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
}
