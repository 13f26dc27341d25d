package dev.connectorevents.acceptance.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.oracle.Slot.Fate;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.user.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiPredicate;

/** Makes the requests of consumers, who read events, and of an operator who erases some. */
final class Consumers {

  private static final int MOST_PAGES = 1_000;

  private final World world;
  private final Oracle oracle;
  private final Sessions sessions;
  private final Operators operators;
  private final ReadRules rules;

  Consumers(World world, Oracle oracle, Sessions sessions, Operators operators) {
    this.world = world;
    this.oracle = oracle;
    this.sessions = sessions;
    this.operators = operators;
    rules = new ReadRules(oracle);
  }

  void read(Step step) {
    List<Slot> named = named();
    if (!named.isEmpty()) {
      read(
          sessions.token(step, Optional.of(Role.CONSUMER)),
          Step.any(step.what(), named),
          step.how() % 2 == 0);
    }
  }

  private List<Slot> named() {
    return oracle.slots.stream().filter(it -> it.id.isPresent()).toList();
  }

  private void read(KnownToken token, Slot slot, boolean isPayload) {
    String path = Connectors.EVENTS + "/" + slot.id.orElseThrow() + (isPayload ? "/payload" : "");
    rules.read(token, slot, isPayload, token.get(world, path));
  }

  /** Reads all events, as a new consumer. */
  void readAll() {
    KnownUser reader = operators.newConsumer();
    world.clock().pass(Duration.ofSeconds(6));
    named().forEach(slot -> read(sessions.tokenOf(reader), slot, true));
  }

  /** Reads all pages of a list. */
  void list(Step step) {
    List<Instant> times = times();
    if (times.isEmpty()) {
      return;
    }
    list(sessions.token(step, Optional.of(Role.CONSUMER)), AskedList.draw(step, times));
  }

  /** Lists all events of each brand, newest first, as a new consumer. */
  void listBrands() {
    KnownToken token = sessions.tokenOf(operators.newConsumer());
    AskedList.BRANDS.forEach(brand -> list(token, AskedList.ofBrand(brand)));
  }

  private void list(KnownToken token, AskedList asked) {
    ListRules list = new ListRules(oracle, token, asked);
    Optional<String> cursor = Optional.empty();
    for (int page = 0; page < MOST_PAGES; page++) {
      Answer answer = token.get(world, asked.path(cursor));
      if (!list.hasMore(answer)) {
        return;
      }
      cursor = Optional.of(answer.body().path("next").asText());
    }
    throw new AssertionError("the list does not end: " + asked);
  }

  /** Lets what was stored so far get its position, unless a call to AWS fails. */
  void number() {
    oracle.numbering(world.number());
  }

  /** When events were stored. Between two of these times, none is half stored or half erased. */
  private List<Instant> times() {
    return oracle.slots.stream().flatMap(Slot::stored).map(Fate.Stored::at).toList();
  }

  /**
   * Erases some events, by their ids or by their sender; only one if a call fails. The function
   * erases several side by side: chance would choose the one that fails.
   */
  void erase(Step step) {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    if (step.how() % 3 == 0 && step.trouble().isNone() && !times().isEmpty()) {
      erase(step, request, ofSender(step, request));
    } else if (!named().isEmpty()) {
      erase(step, request, ofIds(step, request));
    }
  }

  private BiPredicate<Slot, Fate.Stored> ofIds(Step step, ObjectNode request) {
    List<Slot> named = named();
    TreeSet<Integer> chosen = new TreeSet<>();
    int most = step.trouble().isNone() ? step.how() % 3 : 0;
    for (int i = 0; i <= most; i++) {
      chosen.add((step.what() + i * 5) % named.size());
    }
    List<Slot> slots = chosen.stream().map(named::get).toList();
    slots.forEach(it -> request.withArray("ids").add(it.id.orElseThrow()));
    return (slot, stored) -> slots.contains(slot);
  }

  private BiPredicate<Slot, Fate.Stored> ofSender(Step step, ObjectNode request) {
    number(); // an erasure finds in the feed what a user has sent
    world.clock().pass(Duration.ofMillis(1));
    KnownUser sender = Step.any(step.who(), oracle.slots).user;
    Instant one = Step.any(step.what(), times());
    Instant other = Step.any(step.who(), times());
    Instant from = one.isBefore(other) ? one : other;
    Instant to = (one.isBefore(other) ? other : one).plus(Walk.PAUSE);
    Reach types = Step.any(step.what(), Reach.ALL);
    request.put("user_id", sender.id).put("from", from.toString()).put("to", to.toString());
    types.patterns.forEach(it -> request.withArray("event_type").add(it));
    return (slot, stored) ->
        slot.user == sender
            && types.contains(stored.first().type())
            && !stored.at().isBefore(from)
            && stored.at().isBefore(to);
  }

  /** If a call fails, the operator at times gives up. */
  private void erase(Step step, ObjectNode request, BiPredicate<Slot, Fate.Stored> selected) {
    rules.erasing(selected);
    JsonNode answer = request;
    for (int call = 0; call < 20 && !answer.path("complete").asBoolean(); call++) {
      if (answer.has("next")) {
        request.set("next", answer.get("next"));
        if (answer.has("wait_seconds")) {
          number();
          world.clock().pass(Duration.ofSeconds(answer.path("wait_seconds").asLong()));
        }
      }
      answer = world.operator().eraseEvents(request);
      String reply = OperatorRules.reply(answer);
      rules.erased(selected, reply, answer);
      if (!reply.equals(Oracle.OK) && step.who() % 2 == 0) {
        return;
      }
    }
    Oracle.require(answer.path("complete").asBoolean(), "the erasure does not end: " + answer);
  }
}
