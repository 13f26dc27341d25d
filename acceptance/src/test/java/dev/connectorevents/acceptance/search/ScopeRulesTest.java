package dev.connectorevents.acceptance.search;

import static dev.connectorevents.acceptance.search.HandMadeHistory.CONNECTOR;
import static dev.connectorevents.acceptance.search.HandMadeHistory.CONSUMER;
import static dev.connectorevents.acceptance.search.HandMadeHistory.answer;
import static dev.connectorevents.acceptance.search.HandMadeHistory.row;

import dev.connectorevents.acceptance.search.ClientCall.Route;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

class ScopeRulesTest extends RuleCases {

  /** A time after which no function uses a cached scope any more, even if clocks differ. */
  private static final Duration CACHED = Duration.ofSeconds(8);

  private static final Event CHARGE =
      new Event(5, CONNECTOR, Optional.of("key"), "stripe.charge", 1, "{\"n\":5, \"x\":1}");

  private static final String REFUSED_IN_BATCH =
      "{\"results\":[{\"status\":403,\"problem\":%s}]}".formatted(CODE);

  @Override
  Stream<Arguments> brokenRules() {
    return Stream.of(
        breaks(
            Rule.AN_EVENT_OUTSIDE_THE_SCOPE_WAS_NOT_REFUSED,
            it -> {
              TableRow row = it.acknowledge(EVENT);
              narrow(it, CONNECTOR);
              it.sendAgain(EVENT, answer(row.id(), row.createdAt(), 1));
            }),
        breaks(
            Rule.AN_EVENT_OUTSIDE_THE_SCOPE_WAS_NOT_REFUSED,
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.erase(row, EVENT);
              narrow(it, CONNECTOR);
              it.send(EVENT, 410, CODE);
            }),
        breaks(
            Rule.STORED_OUTSIDE_THE_SCOPE,
            it -> {
              narrow(it, CONNECTOR);
              it.store(row(EVENT, "a", it.now()));
              it.send(EVENT, 503, "");
            }),
        breaks(
            Rule.AN_EVENT_OUTSIDE_THE_SCOPE_WAS_READ,
            it -> {
              TableRow row = it.acknowledge(EVENT);
              narrow(it, CONSUMER);
              it.read(CONSUMER, EVENT, 200, row.payload());
            }),
        breaks(
            Rule.AN_EVENT_OUTSIDE_THE_SCOPE_WAS_READ,
            it -> {
              it.erase(it.acknowledge(EVENT), EVENT);
              narrow(it, CONSUMER);
              it.read(CONSUMER, EVENT, 410, CODE);
            }),
        breaks(
            Rule.A_LIST_SHOWS_AN_EVENT_OUTSIDE_THE_SCOPE,
            it -> {
              narrow(it, CONSUMER);
              it.list("", "", it.now());
            }),
        breaks(
            Rule.REFUSED_WITHIN_THE_SCOPE,
            it -> {
              it.give(CONNECTOR, GivenScope.NEITHER, true);
              it.give(CONNECTOR, GivenScope.ALL, true);
              it.answer(Route.MISSING, it.token(CONNECTOR), 403, CODE);
            }),
        breaks(
            Rule.REFUSED_WITHIN_THE_SCOPE,
            it -> {
              it.give(CONNECTOR, GivenScope.NEITHER, true);
              it.give(CONNECTOR, GivenScope.NONE, true);
              it.send(EVENT, 403, CODE);
            }),
        breaks(Rule.REFUSED_WITHIN_THE_SCOPE, it -> it.sendAll(List.of(EVENT), REFUSED_IN_BATCH)));
  }

  @Override
  Stream<Arguments> keptRules() {
    return Stream.of(
        keeps(
            "a scope that is narrowed while it is cached",
            it -> {
              it.give(CONNECTOR, GivenScope.NEITHER, true);
              it.pass(Duration.ofSeconds(4));
              it.acknowledge(EVENT);
              it.send(OTHER, 403, CODE);
            }),
        keeps(
            "a scope that may have been narrowed, or lifted",
            it -> {
              it.give(CONNECTOR, GivenScope.NEITHER, false);
              it.pass(CACHED);
              it.acknowledge(EVENT);
              it.send(OTHER, 403, CODE);
            }),
        keeps(
            "an event and its batch that are refused",
            it -> {
              narrow(it, CONNECTOR);
              it.send(EVENT, 403, CODE);
              it.sendAll(List.of(EVENT), REFUSED_IN_BATCH);
            }),
        keeps(
            "events that are hidden",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.acknowledge(OTHER);
              it.erase(row, EVENT);
              narrow(it, CONSUMER);
              it.read(CONSUMER, EVENT, 404, CODE);
              it.read(CONSUMER, OTHER, 404, CODE);
            }),
        keeps(
            "an erased event of a type that is in the scope",
            it -> {
              it.erase(it.acknowledge(CHARGE), CHARGE);
              it.give(CONSUMER, GivenScope.STRIPE, true);
              it.read(CONSUMER, CHARGE, 404, CODE);
            }),
        keeps(
            "an erased event that a consumer of all types sees",
            it -> {
              it.erase(it.acknowledge(EVENT), EVENT);
              it.give(CONSUMER, GivenScope.ALL, true);
              it.read(CONSUMER, EVENT, 410, CODE);
            }),
        keeps(
            "a list that leaves an event out",
            it -> {
              it.acknowledge(EVENT);
              it.give(CONSUMER, GivenScope.NEITHER, true);
              it.list("", "", it.now());
            }),
        keeps(
            "an event outside the scope right after a jump of the clock",
            it -> {
              narrow(it, CONNECTOR);
              it.jump();
              it.acknowledge(EVENT);
            }));
  }

  private static void narrow(HandMadeHistory history, Account account) {
    history.give(account, GivenScope.NEITHER, true);
    history.pass(CACHED);
  }
}
