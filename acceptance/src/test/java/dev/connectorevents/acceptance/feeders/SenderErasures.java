package dev.connectorevents.acceptance.feeders;

import static java.util.stream.Collectors.toCollection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.feeders.Feeder.FedEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Erasures of what a user has sent of one event type. They wait for the feed, while other steps are
 * made; each step of an erasure may be made twice.
 */
final class SenderErasures {

  private final UUID user;
  private final Random random;
  private final Function<ObjectNode, JsonNode> call;
  private final Supplier<Set<String>> erased;
  private final BooleanSupplier mayLackRecords;
  private final Consumer<String> violations;
  private final List<Open> open = new ArrayList<>();

  /**
   * An erasure that has not ended.
   *
   * @param acknowledged what was acknowledged before its first call began
   */
  private record Open(ObjectNode request, Set<FedEvent> acknowledged) {}

  /**
   * @param call sends a request
   * @param erased the ids of what is erased
   * @param mayLackRecords whether the feed may not be whole
   */
  SenderErasures(
      UUID user,
      Random random,
      Function<ObjectNode, JsonNode> call,
      Supplier<Set<String>> erased,
      BooleanSupplier mayLackRecords,
      Consumer<String> violations) {
    this.user = user;
    this.random = random;
    this.call = call;
    this.erased = erased;
    this.mayLackRecords = mayLackRecords;
    this.violations = violations;
  }

  boolean isEmpty() {
    return open.isEmpty();
  }

  /** An erasure of all that a user has sent. */
  static ObjectNode request(UUID user) {
    return new ObjectMapper()
        .createObjectNode()
        .put("user_id", user.toString())
        .put("from", "2026-01-01T00:00:00Z")
        .put("to", "2999-01-01T00:00:00Z");
  }

  /** Begins an erasure of events of a type. */
  void begin(String type, List<FedEvent> stored) {
    ObjectNode request = request(user);
    request.putArray("event_type").add(type);
    if (random.nextInt(4) == 0) {
      request.put("scan", true);
    }
    Set<FedEvent> acknowledged =
        stored.stream().filter(it -> it.type().equals(type)).collect(toCollection(HashSet::new));
    Open begun = new Open(request, acknowledged);
    JsonNode answer = call.apply(request);
    if (answer.has("next")) { // else nobody knows of it
      request.set("next", answer.get("next"));
      open.add(begun);
    }
  }

  /** This event has expired: no erasure needs to erase it. */
  void forget(FedEvent event) {
    open.forEach(erasure -> erasure.acknowledged().remove(event));
  }

  /** Makes a call of an erasure. A caller that was killed may make it again, and so may another. */
  void goOn() {
    Open erasure = open.get(random.nextInt(open.size()));
    JsonNode answer = call.apply(erasure.request().deepCopy());
    if (answer.has("next") && random.nextInt(4) > 0) {
      erasure.request().set("next", answer.get("next"));
    }
    if (answer.path("code").asText().equals("feed_not_whole") && mayLackRecords.getAsBoolean()) {
      open.remove(erasure);
    } else if (!answer.has("complete") && !FeedWalk.isUnavailable(answer)) {
      violations.accept("an erasure answers " + answer);
    } else if (answer.path("complete").asBoolean() && open.remove(erasure)) {
      Set<String> gone = erased.get();
      erasure.acknowledged().stream()
          .filter(event -> !gone.contains(event.id()))
          .forEach(event ->
              violations.accept(
                  "%s was acknowledged before the erasure %s began"
                      .formatted(event, answer.path("proof"))));
    }
  }
}
