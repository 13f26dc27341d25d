package dev.connectorevents.acceptance.feeders;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.feeders.Feeder.FedEvent;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.CallsUnderWay;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.event.PageRoom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The events that a connector has sent, and those of them that were erased. */
final class WrittenEvents {

  static final List<String> TYPES =
      List.of("a.b", "a.b", "a.b", "a.b", "a.b", "a.c", "shop.x", "shop.y", "rare.z", "a.d");

  private static final int LARGEST_BURST = 12;
  private static final String NOISE = noise(380_000);

  /** Four bytes each, as Lambda counts them. */
  private static final String QUOTES = "\\\"".repeat((int) PageRoom.BYTES / 4);

  private final Random random;
  private final World world;
  private final String connector;
  private final CallsUnderWay underWay;
  private final Supplier<CallsUnderWay.Call> slowWrites;
  private final Supplier<Set<String>> tombstones;
  private final Consumer<String> violations;
  private final Map<String, FedEvent> stored = new HashMap<>();
  private final List<FedEvent> there = new ArrayList<>();
  private final List<String> erased = new ArrayList<>();
  private int keys;

  /**
   * @param connector its token
   * @param slowWrites writes that take long
   * @param tombstones the ids of all tombstones
   */
  WrittenEvents(
      Random random,
      World world,
      String connector,
      CallsUnderWay underWay,
      Supplier<CallsUnderWay.Call> slowWrites,
      Supplier<Set<String>> tombstones,
      Consumer<String> violations) {
    this.random = random;
    this.world = world;
    this.connector = connector;
    this.underWay = underWay;
    this.slowWrites = slowWrites;
    this.tombstones = tombstones;
    this.violations = violations;
  }

  private static String noise(int length) {
    byte[] bytes = new byte[length];
    new Random(1).nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** The events that got 201, without those whose tombstone this test has seen. */
  List<FedEvent> there() {
    return Collections.unmodifiableList(there);
  }

  /** The ids of the events whose tombstone this test has seen. */
  List<String> erased() {
    return Collections.unmodifiableList(erased);
  }

  /**
   * Sends one event or a burst of the same millisecond, or an event again. The last one may take
   * long. No batch: its writes run side by side, and chance would choose their order.
   */
  void write() {
    int burst = random.nextInt(3) == 0 ? 2 + random.nextInt(LARGEST_BURST) : 1;
    int first = random.nextInt(10) == 0 ? random.nextInt(keys + 1) : keys;
    int last = first + burst - 1;
    keys = Math.max(keys, last + 1);
    IntStream.range(first, last).forEach(key -> send(key, CallsUnderWay.Call.NONE));
    send(last, slowWrites.get());
    underWay.trace("sent " + first + "+" + burst);
  }

  private void send(int key, CallsUnderWay.Call call) {
    Answer answer =
        underWay.during(
            call,
            () ->
                world
                    .client()
                    .post(
                        "/api/webhook-events",
                        event(key),
                        "Authorization",
                        "Bearer " + connector,
                        "Content-Type",
                        "application/json"));
    if (answer.status() == 201) {
      acknowledge(answer.body());
    }
  }

  private static String event(int key) {
    String type = TYPES.get(Math.floorMod(key * 7 + key / 10, TYPES.size()));
    return "{\"event_type\":\"%s\",\"idempotency_key\":\"%d\",\"payload\":{\"n\":%d,\"text\":\"%s\"}}"
        .formatted(type, key, key, text(key));
  }

  /** Of every 30 events, one makes a head of nearly 400 KB, and one's payload can be in no page. */
  private static String text(int key) {
    return switch (key % 30) {
      case 3 -> NOISE;
      case 14 -> QUOTES;
      default -> "";
    };
  }

  private void acknowledge(JsonNode event) {
    FedEvent sent = FedEvent.of(event);
    FedEvent first = stored.putIfAbsent(sent.id(), sent);
    if (first == null) {
      there.add(sent);
    } else if (!first.equals(sent)) {
      violations.accept("%s was %s".formatted(sent, first));
    }
  }

  /** Erases an event by its id. */
  void erase() {
    if (there.isEmpty()) {
      return;
    }
    FedEvent event = there.remove(random.nextInt(there.size()));
    ObjectNode request = new ObjectMapper().createObjectNode().put("reason", "a test");
    request.putArray("ids").add(event.id());
    JsonNode answer;
    do {
      answer = underWay.during(slowWrites.get(), () -> world.operator().eraseEvents(request));
      if (answer.has("next")) {
        request.set("next", answer.get("next"));
      }
    } while (answer.has("next") || FeedWalk.isUnavailable(answer));
    if (!answer.path("complete").asBoolean()) {
      violations.accept("an erasure answers " + answer);
    } else if (tombstones.get().contains(event.id())) {
      erased.add(event.id());
    } else {
      violations.accept("%s was acknowledged before the erasure %s".formatted(event, answer));
    }
  }

  /** Learns what others have erased. */
  void lookForErased() {
    Set<String> all = tombstones.get();
    List<FedEvent> gone = there.stream().filter(event -> all.contains(event.id())).toList();
    there.removeAll(gone);
    gone.forEach(event -> erased.add(event.id()));
  }

  /**
   * Deletes an event as DynamoDB does when its time is over. Its key is free again.
   *
   * @return the event; empty if the event of this turn is erased
   */
  Optional<FedEvent> expire() {
    if (there.isEmpty()) {
      return Optional.empty();
    }
    FedEvent event = there.get(random.nextInt(there.size()));
    if (tombstones.get().contains(event.id())) {
      return Optional.empty();
    }
    there.remove(event);
    stored.remove(event.id());
    world
        .dynamoDb()
        .deleteItem(delete ->
            delete.tableName(world.name("EventsTable")).key(Map.of("id", fromS(event.id()))));
    return Optional.of(event);
  }
}
