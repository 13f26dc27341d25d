package dev.connectorevents.acceptance.search;

import static dev.connectorevents.acceptance.search.HandMadeHistory.CONNECTOR;
import static dev.connectorevents.acceptance.search.HandMadeHistory.CONSUMER;
import static dev.connectorevents.acceptance.search.HandMadeHistory.answer;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Every rule about erasures reports its own violation, and nothing that is allowed. */
class ErasureRulesTest extends RuleCases {

  private static final String CONFLICT = "{\"code\":\"idempotency_key_reused\"}";
  private static final String ERASED = "{\"code\":\"event_erased\"}";
  private static final String ERASED_IN_BATCH =
      "{\"results\":[{\"status\":410,\"problem\":" + ERASED + "}]}";

  private static final Event WITHOUT_KEY =
      new Event(4, CONNECTOR, Optional.empty(), "t", 1, "{\"n\":4, \"x\":1}");

  ErasureRulesTest() {
    super(ErasureRules.class);
  }

  @Override
  Stream<Arguments> violations() {
    return Stream.of(
        when("an erased event is stored", it -> it.askToErase(it.acknowledge(EVENT).id(), true, 0)),
        when(
            "an erased event left no tombstone",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.askToErase(row.id(), true, 0);
              it.remove(row);
            }),
        when(
            "an erased event was read",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.erase(row, EVENT);
              it.read(CONSUMER, EVENT, 200, row.payload());
            }),
        when(
            "a list shows an erased event",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.erase(row, EVENT);
              it.list("", "", it.now(), row);
            }),
        when(
            "an erased key was not refused with 410",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.erase(row, EVENT);
              it.sendAgain(EVENT, answer(row.id(), row.createdAt(), 1));
            }),
        when(
            "an erased key was not refused with 410",
            it -> {
              it.erase(it.acknowledge(EVENT), EVENT);
              it.send(event(2, "key"), 422, CONFLICT);
            }),
        when("gone without an erasure", it -> it.send(EVENT, 410, ERASED)),
        when("gone without an erasure", it -> it.sendAll(List.of(EVENT), ERASED_IN_BATCH)),
        when("gone without an erasure", it -> it.read(CONSUMER, EVENT, 410, ERASED)),
        when(
            "gone without an erasure",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.read(CONSUMER, EVENT, 410, ERASED);
              it.erase(row, EVENT);
            }),
        when(
            "gone without an erasure",
            it -> {
              it.erase(it.acknowledge(EVENT), EVENT);
              it.send(OTHER, 410, ERASED);
            }),
        when(
            "a tombstone that nobody asked for",
            it -> it.bury("a1", TombstoneRow.attributes("x", it.now(), true))),
        when(
            "a tombstone that nobody asked for",
            it -> {
              it.erase(it.acknowledge(EVENT), EVENT);
              it.bury("a2", TombstoneRow.attributes("erasure 0", it.now(), true));
            }),
        when("a tombstone with other attributes", it -> eraseOtherwise(it, EVENT, false, Map.of())),
        when(
            "a tombstone with other attributes",
            it -> eraseOtherwise(it, WITHOUT_KEY, true, Map.of())),
        when(
            "a tombstone with other attributes",
            it -> eraseOtherwise(it, EVENT, true, Map.of("event_type_key", "t#1"))),
        when(
            "a tombstone was replaced",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.askToErase(row.id(), true, 1);
              it.erase(row, EVENT);
            }));
  }

  private static void eraseOtherwise(
      HandMadeHistory history, Event event, boolean hasKey, Map<String, String> more) {
    TableRow row = history.acknowledge(event);
    String erasureId = history.askToErase(row.id(), true, 1);
    history.remove(row);
    Map<String, String> attributes = new HashMap<>(more);
    attributes.putAll(TombstoneRow.attributes(erasureId, history.now(), hasKey));
    history.bury(row.id(), attributes);
  }

  @Override
  Stream<Arguments> allowed() {
    return Stream.of(
        when(
            "an event that is seen until it is erased",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              Instant completeUntil = it.now();
              it.read(CONSUMER, EVENT, 200, row.payload());
              it.list("", "", completeUntil, row);
              it.send(event(2, "key"), 422, CONFLICT);
              it.sendAgain(EVENT, answer(row.id(), row.createdAt(), 1));
              it.askFor(EVENT, "{\"missing\":[]}");
              it.erase(row, EVENT);
            }),
        when(
            "an event that is erased for everybody",
            it -> {
              it.erase(it.acknowledge(EVENT), EVENT);
              it.read(CONSUMER, EVENT, 410, ERASED);
              it.list("", "", it.now());
              it.send(EVENT, 410, ERASED);
              it.send(event(2, "key"), 410, ERASED);
              it.sendAll(List.of(EVENT), ERASED_IN_BATCH);
              it.askFor(EVENT, "{\"missing\":[]}");
            }),
        when(
            "an erased event without a key",
            it -> {
              it.erase(it.acknowledge(WITHOUT_KEY), WITHOUT_KEY);
              it.read(CONSUMER, WITHOUT_KEY, 410, ERASED);
            }),
        when(
            "an erased event that its first answer did not acknowledge",
            it -> {
              Instant createdAt = it.now();
              it.send(EVENT, 0, "");
              it.askFor(EVENT, "{\"missing\":[]}");
              it.sendAgain(EVENT, answer("a1", createdAt, 1));
              TableRow row = HandMadeHistory.row(EVENT, "a1", createdAt);
              it.store(row);
              it.erase(row, EVENT);
            }),
        when(
            "an event that may be erased",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.askToErase(row.id(), false, 0);
              it.read(CONSUMER, EVENT, 200, row.payload());
              it.read(CONSUMER, EVENT, 410, ERASED);
            }),
        when(
            "an event that may be younger than its erasure",
            it -> {
              it.askToErase("a1", true, 0);
              it.acknowledge(EVENT);
            }),
        when(
            "an erasure while the clocks jump",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.jumpWhileErasing(row.id());
            }));
  }
}
