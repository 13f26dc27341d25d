package dev.connectorevents.acceptance.search;

import static dev.connectorevents.acceptance.search.HandMadeHistory.CONNECTOR;
import static dev.connectorevents.acceptance.search.HandMadeHistory.CONSUMER;
import static dev.connectorevents.acceptance.search.HandMadeHistory.answer;
import static dev.connectorevents.acceptance.search.HandMadeHistory.kept;
import static dev.connectorevents.acceptance.search.HandMadeHistory.row;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Every rule about events reports its own violation, and nothing that is allowed. */
class EventRulesTest extends RuleCases {

  private static final String CONFLICT = "{\"code\":\"idempotency_key_reused\"}";

  @Override
  Stream<Arguments> brokenRules() {
    return Stream.of(
        breaks(
            Rule.A_BATCH_WITHOUT_A_RESULT_FOR_EACH_EVENT,
            it -> it.sendAll(List.of(EVENT), "{\"results\":[]}")),
        breaks(
            Rule.A_BATCH_WITHOUT_A_RESULT_FOR_EACH_EVENT,
            it -> it.sendAll(List.of(EVENT), "{\"results\":[{\"status\":500}]}")),
        breaks(Rule.A_VALID_EVENT_WAS_REFUSED, it -> it.send(EVENT, 400, CODE)),
        breaks(
            Rule.AN_ACKNOWLEDGED_EVENT_IS_READ_OTHERWISE,
            it -> it.read(CONSUMER, EVENT, 404, CODE)),
        breaks(
            Rule.AN_ACKNOWLEDGED_EVENT_IS_READ_OTHERWISE,
            it -> {
              it.acknowledge(EVENT);
              it.read(CONSUMER, EVENT, 200, "{}");
            }),
        breaks(
            Rule.AN_ACKNOWLEDGED_EVENT_IS_READ_OTHERWISE,
            it -> {
              it.erase(it.acknowledge(EVENT), EVENT);
              it.read(CONSUMER, EVENT, 404, CODE);
            }),
        breaks(
            Rule.AN_ACKNOWLEDGED_EVENT_IS_MISSING,
            it -> {
              it.acknowledge(EVENT);
              it.askFor(EVENT, "{\"missing\":[\"" + EVENT.key().orElseThrow() + "\"]}");
            }),
        breaks(
            Rule.AN_ACKNOWLEDGED_EVENT_IS_MISSING,
            it -> {
              it.erase(it.acknowledge(EVENT), EVENT);
              it.askFor(EVENT, "{\"missing\":[\"" + EVENT.key().orElseThrow() + "\"]}");
            }),
        breaks(
            Rule.AN_EVENT_IS_THERE_THAT_NOBODY_STORED, it -> it.askFor(EVENT, "{\"missing\":[]}")),
        breaks(
            Rule.AN_EVENT_IS_THERE_THAT_NOBODY_STORED,
            it -> {
              it.askFor(EVENT, "{\"missing\":[]}");
              it.acknowledge(EVENT);
            }),
        breaks(Rule.A_PART_WITHOUT_ITS_EVENT, it -> it.storePart("id#1")),
        breaks(
            Rule.STORED_WHAT_NOBODY_SENT_OR_A_PART_OF_IT,
            it -> it.store(row(EVENT, "a", it.now()))),
        breaks(
            Rule.STORED_WHAT_NOBODY_SENT_OR_A_PART_OF_IT,
            it -> {
              it.send(EVENT, 0, "");
              it.store(row(EVENT.of("another type"), "a", it.now()));
            }),
        breaks(
            Rule.STORED_WHAT_WAS_REFUSED,
            it -> {
              it.send(EVENT, 401, CODE);
              it.store(row(EVENT, "a", it.now()));
            }),
        breaks(
            Rule.STORED_WITH_ANOTHER_USER,
            it -> {
              it.send(EVENT, 0, "");
              it.store(row(EVENT, CONSUMER, kept(EVENT, it.now()), "a", it.now()));
            }),
        breaks(
            Rule.STORED_OTHER_BYTES_THAN_WERE_SENT,
            it -> {
              it.send(EVENT, 0, "");
              it.store(row(EVENT, CONNECTOR, "{\"n\":1, \"x\":1.0}", "a", it.now()));
            }),
        breaks(
            Rule.CREATED_AT_ANOTHER_TIME_THAN_IT_WAS_SENT,
            it -> {
              it.send(EVENT, 0, "");
              it.store(row(EVENT, "a", it.now().plusSeconds(3)));
            }),
        breaks(
            Rule.RECEIVED_AT_IS_NOT_CREATED_AT,
            it -> {
              it.send(EVENT, 0, "");
              it.store(row(EVENT, CONNECTOR, kept(EVENT, it.now()), "a", it.now().plusMillis(1)));
            }),
        breaks(
            Rule.STORED_TWICE,
            it -> {
              it.acknowledge(EVENT);
              it.store(row(EVENT, "b", it.now()));
            }),
        breaks(
            Rule.ACKNOWLEDGED_BUT_NOT_STORED, it -> it.send(EVENT, 201, answer("a", it.now(), 1))),
        breaks(
            Rule.ACKNOWLEDGED_BUT_NOT_STORED,
            it -> {
              it.acknowledge(OTHER);
              it.askToErase("a2", false, 0);
              it.remove(it.acknowledge(EVENT));
            }),
        breaks(
            Rule.ACKNOWLEDGED_BUT_ANOTHER_EVENT_IS_STORED,
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.sendAgain(event(2, "key"), answer(row.id(), row.createdAt(), 1));
              it.erase(row, EVENT);
            }),
        breaks(
            Rule.ACKNOWLEDGED_BUT_ANOTHER_EVENT_IS_STORED,
            it -> {
              Event other = event(2, "key");
              it.send(EVENT, 201, answer("a", it.now(), 1));
              it.send(other, 0, "");
              it.store(row(other, "a", it.now()));
            }),
        breaks(
            Rule.ACKNOWLEDGED_WITH_VALUES_THAT_ARE_NOT_STORED,
            it -> {
              it.send(EVENT, 201, answer("a", it.now(), 1));
              it.store(row(EVENT, "b", it.now()));
            }),
        breaks(
            Rule.ACKNOWLEDGED_WITH_VALUES_THAT_ARE_NOT_STORED,
            it -> {
              it.send(EVENT, 201, answer("a", it.now(), 1));
              it.store(row(EVENT, "a", it.now()));
            }),
        breaks(
            Rule.THE_FIRST_ANSWER_AND_A_REPLAY_DIFFER,
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.sendAgain(EVENT, answer(row.id(), row.createdAt(), 2));
            }),
        breaks(
            Rule.STORED_THE_PAYLOAD_OF_ONE_TRY_WITH_THE_MEMBERS_OF_ANOTHER,
            it -> {
              Instant createdAt = it.now();
              it.send(WITH_META, 201, answer("a", createdAt, 2));
              it.store(row(WITH_META, "a", createdAt));
            }),
        breaks(Rule.A_CONFLICT_WITH_NOTHING, it -> it.send(EVENT, 422, CONFLICT)),
        breaks(
            Rule.A_CONFLICT_WITH_NOTHING,
            it -> {
              it.acknowledge(EVENT);
              it.send(EVENT, 422, CONFLICT);
            }),
        breaks(
            Rule.A_REPLAY_OF_NOTHING,
            it -> {
              Instant createdAt = it.now();
              it.sendAgain(EVENT, answer("a", createdAt, 1));
              it.store(row(EVENT, "a", createdAt));
            }),
        breaks(
            Rule.ANSWERED_AS_NEW_TWICE,
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.send(EVENT, 201, answer(row.id(), row.createdAt(), 1));
            }));
  }

  @Override
  Stream<Arguments> keptRules() {
    return Stream.of(
        keeps(
            "an event without an answer that is stored",
            it -> {
              it.send(EVENT, 0, "");
              it.store(row(EVENT, "a", it.now()));
            }),
        keeps("an event without an answer that is not stored", it -> it.send(EVENT, 0, "")),
        keeps(
            "an event without an answer that is missing",
            it -> {
              it.send(EVENT, 0, "");
              it.askFor(EVENT, "{\"missing\":[\"" + EVENT.key().orElseThrow() + "\"]}");
            }),
        keeps(
            "an event without an answer that is there",
            it -> {
              Instant createdAt = it.now();
              it.send(EVENT, 0, "");
              it.store(row(EVENT, "a", createdAt));
              it.askFor(EVENT, "{\"missing\":[]}");
            }),
        keeps(
            "a replay of an event without an answer",
            it -> {
              Instant createdAt = it.now();
              it.send(EVENT, 0, "");
              it.sendAgain(EVENT, answer("a", createdAt, 1));
              it.store(row(EVENT, "a", createdAt));
            }),
        keeps(
            "a replay of an event that is stored",
            it -> {
              TableRow row = it.acknowledge(WITH_META);
              it.sendAgain(WITH_META, answer(row.id(), row.createdAt(), 1));
            }),
        keeps(
            "a conflict with the event under the same key",
            it -> {
              it.acknowledge(EVENT);
              it.send(event(2, "key"), 422, CONFLICT);
            }));
  }
}
