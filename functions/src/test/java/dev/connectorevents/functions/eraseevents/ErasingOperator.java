package dev.connectorevents.functions.eraseevents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.AdjustableClock;
import dev.connectorevents.SideBySide;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import dev.connectorevents.event.RestoredEvents;
import dev.connectorevents.event.Sha256;
import dev.connectorevents.feed.InMemoryFeed;
import dev.connectorevents.functions.RecordingContext;
import dev.connectorevents.functions.lambda.OperatorFunction;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Invokes the function {@code eraseevents} on events and a feed in memory, as an operator does. */
final class ErasingOperator {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration FEED_LAG = Duration.ofSeconds(10);

  /** The most entries of the feed that a call of a fill compares with. */
  static final int MOST_KNOWN = 20;

  final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
  final InMemoryErasableEvents events = new InMemoryErasableEvents(clock);
  final InMemoryLedger ledger = new InMemoryLedger();
  final InMemoryFeed feed = new InMemoryFeed();
  final InMemoryRenumberedEvents stored = new InMemoryRenumberedEvents(clock);
  private final RecordingContext context = new RecordingContext();
  private final OperatorFunction function =
      new OperatorFunction(
          EraseEventsFunction.handler(
              new EraseEvents(
                  events,
                  ledger,
                  new SideBySide(Runnable::run, 10),
                  new Random(1),
                  clock,
                  FEED_LAG,
                  Duration.ofDays(35)),
              new RestoreEvents(new NothingRestored(), ledger, clock),
              new FillFeed(stored, feed, clock, MOST_KNOWN)));

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
    }
    return answers;
  }

  /** Repeats the request with the {@code next} of an answer. */
  JsonNode next(String request, JsonNode answer) {
    return call(with(request, answer.get("next").textValue()));
  }

  static String with(String request, String next) {
    try {
      return ((ObjectNode) JSON.readTree(request)).put("next", next).toString();
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  JsonNode call(String request) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try {
      function.handleRequest(new ByteArrayInputStream(request.getBytes(UTF_8)), output, context);
      return JSON.readTree(output.toByteArray());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The proof of the erasure that an answer names. */
  JsonNode proof(JsonNode answer) {
    return call("{\"show\":\"" + answer.get("erasure_id").textValue() + "\"}").get("erasure");
  }

  /** What a proof must have as {@code ids_sha256} if the pages of its ledger have these ids. */
  static String digest(List<Set<UUID>> pages) {
    return Sha256.hex(
        pages.stream().map(page -> sha256(page) + "\n").collect(Collectors.joining()));
  }

  /** The digest of one page. */
  static String sha256(Set<UUID> ids) {
    return Sha256.hex(
        ids.stream()
            .map(UUID::toString)
            .sorted()
            .map(id -> id + "\n")
            .collect(Collectors.joining()));
  }

  /**
   * Asserts that a proof is right: the pages of its ledger have exactly the ids of all tombstones,
   * each once.
   */
  void assertProved(JsonNode answer) {
    List<Set<UUID>> pages =
        ledger.entries(UUID.fromString(answer.get("erasure_id").textValue())).stream()
            .filter(ErasureLedger.Entry.Checked.class::isInstance)
            .map(ErasureLedger.Entry::ids)
            .toList();
    assertThat(pages.stream().flatMap(Set::stream))
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(events.tombstones());
    assertThat(proof(answer).get("count").intValue()).isEqualTo(events.tombstones().size());
    assertThat(proof(answer).get("ids_sha256").textValue()).isEqualTo(digest(pages));
  }

  /** All lines that the function has logged. */
  String log() {
    return context.lines().toString();
  }

  /** The line that the last call has logged. */
  JsonNode lastLine() {
    try {
      return JSON.readTree(context.lines().getLast());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** There is no restored table. */
  private static final class NothingRestored implements RestoredEvents {

    @Override
    public boolean isThere(String table) {
      return false;
    }

    @Override
    public String rule() {
      return "the name of a restored table";
    }

    @Override
    public Copied copy(String table, Optional<String> after) {
      throw new IllegalStateException(table);
    }

    @Override
    public int erase(String table, Erasure erasure, ErasureLedger.Entry page) {
      throw new IllegalStateException(table);
    }
  }
}
