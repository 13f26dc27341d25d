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

  @Override
  Stream<Arguments> brokenRules() {
    return Stream.of(
        breaks(
            Rule.AN_ERASED_EVENT_IS_STORED,
            it -> it.askToErase(it.acknowledge(EVENT).id(), true, 0)),
        breaks(
            Rule.AN_ERASED_EVENT_LEFT_NO_TOMBSTONE,
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.askToErase(row.id(), true, 0);
              it.remove(row);
            }),
        breaks(
            Rule.AN_ERASED_EVENT_WAS_READ,
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.erase(row, EVENT);
              it.read(CONSUMER, EVENT, 200, row.payload());
            }),
        breaks(
            Rule.A_LIST_SHOWS_AN_ERASED_EVENT,
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.erase(row, EVENT);
              it.list("", "", it.now(), row);
            }),
        breaks(
            Rule.AN_ERASED_KEY_WAS_NOT_REFUSED_WITH_410,
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.erase(row, EVENT);
              it.sendAgain(EVENT, answer(row.id(), row.createdAt(), 1));
            }),
        breaks(
            Rule.AN_ERASED_KEY_WAS_NOT_REFUSED_WITH_410,
            it -> {
              it.erase(it.acknowledge(EVENT), EVENT);
              it.send(event(2, "key"), 422, CONFLICT);
            }),
        breaks(Rule.A_410_WITHOUT_AN_ERASURE, it -> it.send(EVENT, 410, ERASED)),
        breaks(Rule.A_410_WITHOUT_AN_ERASURE, it -> it.sendAll(List.of(EVENT), ERASED_IN_BATCH)),
        breaks(Rule.A_410_WITHOUT_AN_ERASURE, it -> it.read(CONSUMER, EVENT, 410, ERASED)),
        breaks(
            Rule.A_410_WITHOUT_AN_ERASURE,
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.read(CONSUMER, EVENT, 410, ERASED);
              it.erase(row, EVENT);
            }),
        breaks(
            Rule.A_410_WITHOUT_AN_ERASURE,
            it -> {
              it.erase(it.acknowledge(EVENT), EVENT);
              it.send(OTHER, 410, ERASED);
            }),
        breaks(
            Rule.A_TOMBSTONE_THAT_NOBODY_ASKED_FOR,
            it -> it.bury("a1", TombstoneRow.attributes("x", it.now(), true))),
        breaks(
            Rule.A_TOMBSTONE_THAT_NOBODY_ASKED_FOR,
            it -> {
              it.erase(it.acknowledge(EVENT), EVENT);
              it.bury("a2", TombstoneRow.attributes("erasure 0", it.now(), true));
            }),
        breaks(
            Rule.A_TOMBSTONE_WITH_OTHER_ATTRIBUTES,
            it -> eraseOtherwise(it, EVENT, false, Map.of())),
        breaks(
            Rule.A_TOMBSTONE_WITH_OTHER_ATTRIBUTES,
            it -> eraseOtherwise(it, WITHOUT_KEY, true, Map.of())),
        breaks(
            Rule.A_TOMBSTONE_WITH_OTHER_ATTRIBUTES,
            it -> eraseOtherwise(it, EVENT, true, Map.of("event_type_key", "t#1"))),
        breaks(
            Rule.A_TOMBSTONE_WAS_REPLACED,
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
  Stream<Arguments> keptRules() {
    return Stream.of(
        keeps(
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
        keeps(
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
        keeps(
            "an erased event without a key",
            it -> {
              it.erase(it.acknowledge(WITHOUT_KEY), WITHOUT_KEY);
              it.read(CONSUMER, WITHOUT_KEY, 410, ERASED);
            }),
        keeps(
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
        keeps(
            "an event that may be erased",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.askToErase(row.id(), false, 0);
              it.read(CONSUMER, EVENT, 200, row.payload());
              it.read(CONSUMER, EVENT, 410, ERASED);
            }),
        keeps(
            "an event that may be younger than its erasure",
            it -> {
              it.askToErase("a1", true, 0);
              it.acknowledge(EVENT);
            }),
        keeps(
            "an erasure while the clocks jump",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.jumpWhileErasing(row.id());
            }));
  }
}
