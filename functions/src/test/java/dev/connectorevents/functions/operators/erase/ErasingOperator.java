package dev.connectorevents.functions.operators.erase;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.AdjustableClock;
import dev.connectorevents.SideBySide;
import dev.connectorevents.erasure.ErasureJson;
import dev.connectorevents.erasure.ErasureLedger.Closed;
import dev.connectorevents.erasure.ErasureLedger.Step;
import dev.connectorevents.feed.Beat;
import dev.connectorevents.feed.FeedBeats;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.InMemoryMarkedEvents;
import dev.connectorevents.feed.ItemVersion;
import dev.connectorevents.feed.MarkNote;
import dev.connectorevents.feed.Segment;
import dev.connectorevents.feed.Whole;
import dev.connectorevents.feed.WholeFeed;
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

/** Invokes the function {@code eraseevents} on events and a feed in memory, as an operator does. */
final class ErasingOperator {

  /** How long the feed takes to note a mark. */
  private static final Duration FEED_LAG = Duration.ofSeconds(10);

  final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
  final InMemoryErasableEvents events = new InMemoryErasableEvents(clock);
  final InMemoryLedger ledger = new InMemoryLedger();

  /** The marks that are written. */
  private final Map<Integer, MarkNote> marks = new HashMap<>();

  final InMemoryMarkedEvents marked =
      new InMemoryMarkedEvents(notes -> notes.forEach(note -> marks.put(note.mark(), note)));
  final WholeFeed log = new Log();

  private final OperatorCalls calls =
      new OperatorCalls(
          EraseEventsFunction.handler(
              new EraseEvents(
                  new EraseEvents.Parts(
                      events,
                      ledger,
                      new FeedBeats(marked, log, clock),
                      new SideBySide(Runnable::run, 10),
                      clock),
                  new Random(1),
                  Duration.ofDays(35))));

  /** The feed's head, and the marks that are noted by now. */
  private final class Log implements WholeFeed {

    private Optional<Whole> whole = Optional.empty();

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
          : List.of(new Segment(events.name, events.head(), now, List.of(any)));
    }

    @Override
    public List<MarkNote> notes() {
      Instant numbered = clock.instant().minus(FEED_LAG);
      return marks.values().stream().filter(note -> !note.at().isAfter(numbered)).toList();
    }

    @Override
    public Optional<Whole> whole() {
      return whole;
    }

    @Override
    public boolean replace(Optional<Whole> read, Whole next) {
      whole = Optional.of(next);
      return true;
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

  /** Finds out what the feed holds, as the schedule does. */
  void beat(int marks) {
    FeedBeats beats = new FeedBeats(marked, log, clock);
    Beat beat = beats.begin(marks).beat();
    clock.advance(FEED_LAG);
    beats.keep(beats.look(beat));
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
