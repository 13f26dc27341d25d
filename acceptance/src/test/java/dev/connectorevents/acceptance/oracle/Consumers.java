package dev.connectorevents.acceptance.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.user.Role;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Makes the requests of consumers, who read events, and of an operator who erases some. */
final class Consumers {

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

  /** Erases some rules. If a call fails, the operator at times gives up. */
  void erase(Step step) {
    List<Slot> named = named();
    if (named.isEmpty()) {
      return;
    }
    TreeSet<Integer> chosen = new TreeSet<>();
    for (int i = 0; i <= step.how() % 3; i++) {
      chosen.add((step.what() + i * 5) % named.size());
    }
    List<Slot> slots = chosen.stream().map(named::get).toList();
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    slots.forEach(it -> request.withArray("ids").add(it.id.orElseThrow()));
    rules.erasing(slots);
    JsonNode answer = request;
    for (int call = 0; call < 20 && !answer.path("complete").asBoolean(); call++) {
      if (answer.has("next")) {
        request.set("next", answer.get("next"));
        world.clock().pass(Duration.ofSeconds(answer.path("wait_seconds").asLong()));
      }
      answer = world.operator().eraseEvents(request);
      String reply = OperatorRules.reply(answer);
      rules.erased(slots, reply, answer);
      if (!reply.equals(Oracle.OK) && step.who() % 2 == 0) {
        return;
      }
    }
    Oracle.require(answer.path("complete").asBoolean(), "the erasure does not end: " + answer);
  }
}
