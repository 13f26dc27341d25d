package dev.connectorevents.acceptance.feeders;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Fills of the feed, of all times. Beside writers they bring back what the stream has lost, and
 * nothing else; each call of a fill may be made twice.
 */
final class Fills {

  private final Random random;
  private final Function<ObjectNode, JsonNode> call;
  private final Consumer<String> violations;
  private final List<Open> open = new ArrayList<>();
  private int losses;
  private int filled;

  /**
   * A fill that has not ended.
   *
   * @param losses how often the stream had lost records when it began
   */
  private record Open(ObjectNode request, int losses) {}

  /**
   * @param call sends a request
   */
  Fills(Random random, Function<ObjectNode, JsonNode> call, Consumer<String> violations) {
    this.random = random;
    this.call = call;
    this.violations = violations;
  }

  boolean isEmpty() {
    return open.isEmpty();
  }

  /** How often the stream has lost records. */
  int losses() {
    return losses;
  }

  /** Whether the feed lacks what the stream has lost: no fill that began after it has ended. */
  boolean lacksRecords() {
    return filled < losses;
  }

  void recordsAreLost() {
    losses++;
  }

  void begin() {
    ObjectNode request = new ObjectMapper().createObjectNode();
    request.putObject("fill").put("from", "1970-01-01T00:00:00Z").put("to", "2999-01-01T00:00:00Z");
    int before = losses;
    JsonNode answer = call.apply(request);
    if (answer.has("next")) { // else nobody knows of it
      request.set("next", answer.get("next"));
      open.add(new Open(request, before));
    }
  }

  void goOn() {
    Open fill = open.get(random.nextInt(open.size()));
    JsonNode answer = call.apply(fill.request().deepCopy());
    if (losses == 0 && answer.path("renumbered").asInt() > 0) {
      violations.accept("a fill renumbers what was not lost: " + answer);
    }
    if (answer.has("next")) {
      if (random.nextInt(4) > 0) {
        fill.request().set("next", answer.get("next"));
      }
    } else if (answer.has("searched")) {
      if (random.nextInt(3) > 0) {
        open.remove(fill); // else the last call is made again
      }
      filled = Math.max(filled, fill.losses());
    } else if (!FeedWalk.isUnavailable(answer)) {
      violations.accept("a fill answers " + answer);
    }
  }
}
