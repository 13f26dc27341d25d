package dev.connectorevents.acceptance.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.oracle.Slot.Fate;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.TableScan;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.user.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Makes the requests of consumers, who read events, and of an operator who erases some. */
final class Consumers {

  private static final int MOST_PAGES = 1_000;

  private final World world;
  private final Oracle oracle;
  private final Sessions sessions;
  private final Operators operators;
  private final ReadRules rules;
  private boolean isNumbering;
  private Instant beaten = Instant.EPOCH;

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
          oracle.any(step.what(), named),
          step.how() % 2 == 0);
    }
  }

  private List<Slot> named() {
    return oracle.slots.stream().filter(it -> it.id.isPresent()).toList();
  }

  private void read(KnownToken token, Slot slot, boolean isPayload) {
    String path = Connectors.EVENTS + "/" + slot.id.orElseThrow() + (isPayload ? "/payload" : "");
    Set<Fate> before = slot.fates().collect(Collectors.toSet());
    oracle.about(List.of(slot));
    rules.read(token, slot, before, isPayload, token.get(world, path));
  }

  /** Reads all events, as a new consumer. */
  void readAll() {
    KnownUser reader = operators.newConsumer();
    world.clock().pass(Duration.ofSeconds(6));
    named().forEach(slot -> read(sessions.tokenOf(reader), slot, true));
  }

  /**
   * Looks into the table: the further items of an event are there only with their head. A mark is
   * no such item.
   */
  void inspectParts() {
    Map<String, Map<String, AttributeValue>> items = new TableScan(world).items("EventsTable");
    for (String id : items.keySet()) {
      String[] part = id.split("#", 2);
      if (part.length == 2 && !part[0].equals("mark")) {
        AttributeValue parts = items.getOrDefault(part[0], Map.of()).get("parts");
        boolean isOfEvent =
            parts != null && Integer.parseInt(part[1]) <= Integer.parseInt(parts.n());
        Oracle.require(isOfEvent, "a part without its event: " + id);
      }
    }
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
    if (!isNumbering) {
      isNumbering = true;
      oracle.numbering(world.number());
      isNumbering = false;
    }
  }

  /** Whether no beat has come for so long that another one may be the first for a day. */
  boolean isBeatDue() {
    return !world.clock().now().isBefore(beaten.plus(Duration.ofHours(2)));
  }

  /** The schedule finds out what the feed holds. An operator fills it if it may lack something. */
  void beat() {
    world.operator().invoke("BeatFeedFunction", "{}");
    number();
    world.operator().invoke("BeatFeedFunction", "{}");
    Map<String, AttributeValue> whole =
        Map.of("feed", AttributeValue.fromS("whole"), "first", AttributeValue.fromN("0"));
    if (world
        .dynamoDb()
        .getItem(get -> get.tableName(world.name("FeedTable")).key(whole))
        .item()
        .containsKey("lost")) {
      fill();
    }
    beaten = world.clock().now();
  }

  private void fill() {
    ObjectNode request = new ObjectMapper().createObjectNode();
    request.putObject("fill").put("from", "1970-01-01T00:00:00Z").put("to", "2999-01-01T00:00:00Z");
    JsonNode answer = request;
    for (int call = 0; call == 0 || answer.has("next"); call++) {
      Oracle.require(call < 20, "the fill does not end: " + answer);
      request.set("next", answer.get("next"));
      if (call == 0) {
        request.remove("next");
      }
      answer = world.operator().invoke("RestoreEventsFunction", request.toString());
      number();
      world.clock().pass(Duration.ofMinutes(1));
    }
    Oracle.require(answer.has("whole_until") && !answer.has("lost_from"), "a fill ends: " + answer);
    Oracle.require(answer.path("renumbered").asInt() == 0, "it fills what is there: " + answer);
  }

  /** When events were stored. Between two of these times, none is half stored or half erased. */
  private List<Instant> times() {
    return oracle.slots.stream().flatMap(Slot::stored).map(Fate.Stored::at).toList();
  }

  /**
   * Erases some events, by their ids or by their sender; only one if a call fails or waits. The
   * function erases several side by side: chance would choose the one that fails. While numbering
   * waits, erases none by sender: an erasure trusts the feed after some time, whatever happens.
   */
  void erase(Step step) {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    if (step.how() % 3 == 0 && isSwift(step) && !isNumbering && !times().isEmpty()) {
      erase(step, request, ofSender(step, request));
    } else if (!named().isEmpty()) {
      erase(step, request, ofIds(step, request));
    }
  }

  /** Whether no call of the step fails or waits. */
  private static boolean isSwift(Step step) {
    return step.trouble().isNone() && step.hold().isNone();
  }

  private BiPredicate<Slot, Fate.Stored> ofIds(Step step, ObjectNode request) {
    List<Slot> named = named();
    Set<Slot> slots = new LinkedHashSet<>(List.of(oracle.any(step.what(), named)));
    int most = isSwift(step) ? step.how() % 3 : 0;
    for (int i = 1; i <= most; i++) {
      slots.add(Step.any(step.what() + i * 5, named));
    }
    oracle.about(List.copyOf(slots));
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
      boolean isLate = world.clock().now().isAfter(beaten.plus(Duration.ofHours(22)));
      if (isLate && reply.equals("409 feed_not_whole")) {
        return; // no schedule runs while other calls are held
      }
      rules.erased(selected, reply, answer);
      if (!reply.equals(Oracle.OK) && step.who() % 2 == 0) {
        return;
      }
    }
    Oracle.require(answer.path("complete").asBoolean(), "the erasure does not end: " + answer);
  }
}
