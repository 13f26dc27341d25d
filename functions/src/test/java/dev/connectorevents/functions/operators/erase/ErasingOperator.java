package dev.connectorevents.functions.operators.erase;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.AdjustableClock;
import dev.connectorevents.SideBySide;
import dev.connectorevents.erasure.ErasureJson;
import dev.connectorevents.erasure.ErasureLedger.Closed;
import dev.connectorevents.erasure.ErasureLedger.Step;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.FeedLog;
import dev.connectorevents.feed.FeedMarks;
import dev.connectorevents.feed.ItemVersion;
import dev.connectorevents.feed.Segment;
import dev.connectorevents.functions.InMemoryErasableEvents;
import dev.connectorevents.functions.InMemoryLedger;
import dev.connectorevents.functions.OperatorCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Invokes the function {@code eraseevents} on events and a feed in memory, as an operator does. */
final class ErasingOperator {

  /** How long the feed takes to note a mark. */
  private static final Duration FEED_LAG = Duration.ofSeconds(10);

  final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
  final InMemoryErasableEvents events = new InMemoryErasableEvents(clock);
  final InMemoryLedger ledger = new InMemoryLedger();

  /** The number of the stream's shards. All get equally many marks. */
  int shards = 2;

  /** When each mark is noted, by the erasure. */
  private final Map<UUID, Map<Integer, Instant>> marks = new HashMap<>();

  private final OperatorCalls calls =
      new OperatorCalls(
          EraseEventsFunction.handler(
              new EraseEvents(
                  new EraseEvents.Parts(
                      events,
                      ledger,
                      new FeedMarks(this::mark, new Log(), clock),
                      new SideBySide(Runnable::run, 10),
                      clock),
                  new Random(1),
                  Duration.ofDays(35))));

  private void mark(UUID run, int first, int last, Instant expiresAt) {
    Map<Integer, Instant> all = marks.computeIfAbsent(run, _ -> new HashMap<>());
    IntStream.rangeClosed(first, last)
        .forEach(number -> all.put(number, clock.instant().plus(FEED_LAG)));
  }

  /** The feed's head, and the marks that are noted by now. */
  private final class Log implements FeedLog {

    @Override
    public List<Segment> forward(long first, int most) {
      throw new IllegalStateException("nobody needs this");
    }

    @Override
    public List<Segment> backward(long position, int most) {
      Instant now = clock.instant();
      FeedEntry any =
          new FeedEntry.OfErasure(new ItemVersion(new UUID(0, 0), now, Optional.empty()));
      return events.head() == 0
          ? List.of()
          : List.of(new Segment("00c0ffee", events.head(), now, List.of(any)));
    }

    @Override
    public Map<Integer, String> notes(UUID run) {
      return marks.getOrDefault(run, Map.of()).entrySet().stream()
          .filter(mark -> !mark.getValue().isAfter(clock.instant()))
          .collect(Collectors.toMap(Map.Entry::getKey, mark -> "shard" + mark.getKey() % shards));
    }
  }

  /**
   * Calls the function until an answer has no {@code next}, and returns all answers. Before each
   * further call, advances the clock by the {@code wait_seconds} of the last answer.
   */
  List<JsonNode> eraseAll(String request) {
    return eraseAllAfter(request, call(request));
  }

  /** Like {@link #eraseAll}, after the first answer. */
  List<JsonNode> eraseAllAfter(String request, JsonNode first) {
    List<JsonNode> answers = new ArrayList<>(List.of(first));
    while (answers.getLast().has("next")) {
      clock.advance(Duration.ofSeconds(answers.getLast().path("wait_seconds").intValue()));
      answers.add(next(request, answers.getLast()));
      assertThat(answers).as("calls without an end").hasSizeLessThan(1_000);
    }
    return answers;
  }

  /** The proof of the erasure that an answer names, as the ledger has it. */
  JsonNode proof(JsonNode answer) {
    UUID id = UUID.fromString(answer.get("erasure_id").textValue());
    return new ObjectMapper().valueToTree(ErasureJson.members(ledger.find(id).orElseThrow()));
  }

  /** The stream loses what it still has of the marks. */
  void loseMarks() {
    marks.clear();
  }

  JsonNode next(String request, JsonNode answer) {
    return calls.next(request, answer);
  }

  JsonNode call(String request) {
    return calls.call(request);
  }

  String log() {
    return calls.log();
  }

  JsonNode lastLine() {
    return calls.lastLine();
  }

  /**
   * Asserts that a proof is right: the steps of its ledger have exactly the ids of all tombstones,
   * each once.
   */
  void assertProved(JsonNode answer) {
    JsonNode proof = answer.get("proof");
    List<Step> steps = ledger.steps(UUID.fromString(answer.get("erasure_id").textValue()));
    assertThat(steps.stream().map(Step::ids).flatMap(Set::stream))
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(events.tombstones());
    Closed all = Closed.NOTHING;
    for (Step step : steps) {
      all = all.plus(step.ids());
    }
    assertThat(steps).allMatch(step -> step.closed().isPresent());
    assertThat(proof.get("count").intValue()).isEqualTo(events.tombstones().size());
    assertThat(proof.get("chain").textValue()).isEqualTo(all.chain());
  }
}
