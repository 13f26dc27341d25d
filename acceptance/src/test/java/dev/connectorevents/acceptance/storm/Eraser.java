package dev.connectorevents.acceptance.storm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.functions.wiring.Sleep;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Erases stored events, as one operator or as two operators at the same time. */
final class Eraser implements Worker {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_TRIES = 4;

  private final Deployment deployment;
  private final CallHistory history;
  private final List<Outbox> outboxes;
  private final Random random;

  Eraser(Deployment deployment, CallHistory history, List<Outbox> outboxes, Random random) {
    this.deployment = deployment;
    this.history = history;
    this.outboxes = outboxes;
    this.random = random;
  }

  @Override
  public void step() {
    Sleep.of(Duration.ofMillis(random.nextInt(200, 400))); // so that most events are not erased
    Set<String> chosen = choose();
    if (!chosen.isEmpty()) {
      int operators = random.nextInt(3) == 0 ? 2 : 1;
      IntStream.range(0, operators).parallel().forEach(operator -> erase(chosen));
    }
  }

  /**
   * Chooses at most one stored event from each outbox, and returns their ids. A connector retries a
   * chosen event with a key meanwhile.
   */
  private Set<String> choose() {
    boolean isLarge = random.nextInt(3) == 0;
    Predicate<Event> fits = isLarge ? Event::isLarge : any -> true;
    Set<String> chosen = new HashSet<>();
    for (Outbox outbox : outboxes) {
      if (isLarge || random.nextBoolean()) {
        outbox
            .anyStored(random, fits)
            .ifPresent(it -> {
              chosen.add(it.getKey());
              it.getValue().key().ifPresent(key -> outbox.retry(it.getValue()));
            });
      }
    }
    return chosen;
  }

  private void erase(Set<String> ids) {
    ObjectNode request = JSON.createObjectNode();
    ids.forEach(request.putArray("ids")::add);
    Stopwatch watch = Stopwatch.start(deployment.time());
    Optional<JsonNode> answer = answer(request);
    Optional<String> id = answer.map(it -> it.path("erasure_id").asText());
    int written = 0;
    while (answer.filter(Eraser::goesOn).isPresent()) {
      request.set("next", answer.get().get("next"));
      answer = answer(request);
      written += answer.map(it -> it.path("erased").asInt()).orElse(0);
    }
    boolean isComplete = answer.filter(it -> it.path("complete").booleanValue()).isPresent();
    history.add(new CallHistory.Erasure(id, List.copyOf(ids), watch.stop(), isComplete, written));
  }

  /**
   * Whether to call the function again. Stops if the answer asks to wait. Then either the
   * function's clock is before the start of the erasure, or an event is lost. Other rules report a
   * lost event.
   */
  private static boolean goesOn(JsonNode answer) {
    return answer.has("next") && !answer.has("wait_seconds");
  }

  /**
   * Calls the function until it succeeds, at most {@value #MAX_TRIES} times. Returns the successful
   * answer, or empty.
   */
  private Optional<JsonNode> answer(ObjectNode request) {
    return Stream.generate(
            () -> deployment.client().invoke("EraseEventsFunction", request.toString()))
        .limit(MAX_TRIES)
        .flatMap(Optional::stream)
        .filter(answer -> answer.has("erasure_id"))
        .findFirst();
  }
}
