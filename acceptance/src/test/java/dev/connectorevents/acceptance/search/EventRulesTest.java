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

  EventRulesTest() {
    super(EventRules.class);
  }

  @Override
  Stream<Arguments> violations() {
    return Stream.of(
        when(
            "a batch without a result for each event",
            it -> it.sendAll(List.of(EVENT), "{\"results\":[]}")),
        when(
            "a batch without a result for each event",
            it -> it.sendAll(List.of(EVENT), "{\"results\":[{\"status\":500}]}")),
        when("a valid event was refused", it -> it.send(EVENT, 400, CODE)),
        when("an acknowledged event is read otherwise", it -> it.read(CONSUMER, EVENT, 404, CODE)),
        when(
            "an acknowledged event is read otherwise",
            it -> {
              it.acknowledge(EVENT);
              it.read(CONSUMER, EVENT, 200, "{}");
            }),
        when(
            "an acknowledged event is read otherwise",
            it -> {
              it.erase(it.acknowledge(EVENT), EVENT);
              it.read(CONSUMER, EVENT, 404, CODE);
            }),
        when(
            "an acknowledged event is missing",
            it -> {
              it.acknowledge(EVENT);
              it.askFor(EVENT, "{\"missing\":[\"" + EVENT.key().orElseThrow() + "\"]}");
            }),
        when(
            "an acknowledged event is missing",
            it -> {
              it.erase(it.acknowledge(EVENT), EVENT);
              it.askFor(EVENT, "{\"missing\":[\"" + EVENT.key().orElseThrow() + "\"]}");
            }),
        when("an event is there that nobody stored", it -> it.askFor(EVENT, "{\"missing\":[]}")),
        when(
            "an event is there that nobody stored",
            it -> {
              it.askFor(EVENT, "{\"missing\":[]}");
              it.acknowledge(EVENT);
            }),
        when("a part without its event", it -> it.storePart("id#1")),
        when("stored what nobody sent, or a part of it", it -> it.store(row(EVENT, "a", it.now()))),
        when(
            "stored what nobody sent, or a part of it",
            it -> {
              it.send(EVENT, 0, "");
              it.store(row(EVENT.of("another type"), "a", it.now()));
            }),
        when(
            "stored what was refused",
            it -> {
              it.send(EVENT, 401, CODE);
              it.store(row(EVENT, "a", it.now()));
            }),
        when(
            "stored with another user",
            it -> {
              it.send(EVENT, 0, "");
              it.store(row(EVENT, CONSUMER, kept(EVENT, it.now()), "a", it.now()));
            }),
        when(
            "stored other bytes than were sent",
            it -> {
              it.send(EVENT, 0, "");
              it.store(row(EVENT, CONNECTOR, "{\"n\":1, \"x\":1.0}", "a", it.now()));
            }),
        when(
            "created at another time than it was sent",
            it -> {
              it.send(EVENT, 0, "");
              it.store(row(EVENT, "a", it.now().plusSeconds(3)));
            }),
        when(
            "received_at is not created_at",
            it -> {
              it.send(EVENT, 0, "");
              it.store(row(EVENT, CONNECTOR, kept(EVENT, it.now()), "a", it.now().plusMillis(1)));
            }),
        when(
            "stored twice",
            it -> {
              it.acknowledge(EVENT);
              it.store(row(EVENT, "b", it.now()));
            }),
        when("acknowledged, but not stored", it -> it.send(EVENT, 201, answer("a", it.now(), 1))),
        when(
            "acknowledged, but not stored",
            it -> {
              it.acknowledge(OTHER);
              it.askToErase("a2", false, 0);
              it.remove(it.acknowledge(EVENT));
            }),
        when(
            "acknowledged, but another event is stored",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.sendAgain(event(2, "key"), answer(row.id(), row.createdAt(), 1));
              it.erase(row, EVENT);
            }),
        when(
            "acknowledged, but another event is stored",
            it -> {
              Event other = event(2, "key");
              it.send(EVENT, 201, answer("a", it.now(), 1));
              it.send(other, 0, "");
              it.store(row(other, "a", it.now()));
            }),
        when(
            "acknowledged with values that are not stored",
            it -> {
              it.send(EVENT, 201, answer("a", it.now(), 1));
              it.store(row(EVENT, "b", it.now()));
            }),
        when(
            "acknowledged with values that are not stored",
            it -> {
              it.send(EVENT, 201, answer("a", it.now(), 1));
              it.store(row(EVENT, "a", it.now()));
            }),
        when(
            "the first answer and a replay differ",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.sendAgain(EVENT, answer(row.id(), row.createdAt(), 2));
            }),
        when(
            "stored the payload of one try with the members of another",
            it -> {
              Instant createdAt = it.now();
              it.send(WITH_META, 201, answer("a", createdAt, 2));
              it.store(row(WITH_META, "a", createdAt));
            }),
        when("a conflict with nothing", it -> it.send(EVENT, 422, CONFLICT)),
        when(
            "a conflict with nothing",
            it -> {
              it.acknowledge(EVENT);
              it.send(EVENT, 422, CONFLICT);
            }),
        when(
            "a replay of nothing",
            it -> {
              Instant createdAt = it.now();
              it.sendAgain(EVENT, answer("a", createdAt, 1));
              it.store(row(EVENT, "a", createdAt));
            }),
        when(
            "new for the second time",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.send(EVENT, 201, answer(row.id(), row.createdAt(), 1));
            }));
  }

  @Override
  Stream<Arguments> allowed() {
    return Stream.of(
        when(
            "an event without an answer that is stored",
            it -> {
              it.send(EVENT, 0, "");
              it.store(row(EVENT, "a", it.now()));
            }),
        when("an event without an answer that is not stored", it -> it.send(EVENT, 0, "")),
        when(
            "an event without an answer that is missing",
            it -> {
              it.send(EVENT, 0, "");
              it.askFor(EVENT, "{\"missing\":[\"" + EVENT.key().orElseThrow() + "\"]}");
            }),
        when(
            "an event without an answer that is there",
            it -> {
              Instant createdAt = it.now();
              it.send(EVENT, 0, "");
              it.store(row(EVENT, "a", createdAt));
              it.askFor(EVENT, "{\"missing\":[]}");
            }),
        when(
            "a replay of an event without an answer",
            it -> {
              Instant createdAt = it.now();
              it.send(EVENT, 0, "");
              it.sendAgain(EVENT, answer("a", createdAt, 1));
              it.store(row(EVENT, "a", createdAt));
            }),
        when(
            "a replay of an event that is stored",
            it -> {
              TableRow row = it.acknowledge(WITH_META);
              it.sendAgain(WITH_META, answer(row.id(), row.createdAt(), 1));
            }),
        when(
            "a conflict with the event under the same key",
            it -> {
              it.acknowledge(EVENT);
              it.send(event(2, "key"), 422, CONFLICT);
            }));
  }
}
