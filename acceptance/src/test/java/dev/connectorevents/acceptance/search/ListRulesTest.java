package dev.connectorevents.acceptance.search;

import static dev.connectorevents.acceptance.search.HandMadeHistory.row;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

class ListRulesTest extends RuleCases {

  @Override
  Stream<Arguments> brokenRules() {
    return Stream.of(
        breaks(
            Rule.A_LIST_SHOWS_WHAT_IS_NOT_STORED,
            it -> it.list("", "", it.now(), row(EVENT, "a", it.now()))),
        breaks(
            Rule.A_LIST_SHOWS_WHAT_IS_NOT_STORED,
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.list("", "", row.createdAt(), row(EVENT, row.id(), it.now()));
            }),
        breaks(
            Rule.A_PAGE_HAS_A_COMPLETE_UNTIL_OF_ITS_OWN,
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.list("", "c", it.now(), row);
              it.list("&cursor=c", "", it.now());
            }),
        breaks(
            Rule.A_LIST_IS_NOT_NEWEST_FIRST,
            it -> {
              TableRow old = it.acknowledge(EVENT);
              it.list("", "", it.now(), old, it.acknowledge(OTHER));
            }),
        breaks(
            Rule.A_LIST_REPEATS_AN_EVENT,
            it -> {
              TableRow row = it.acknowledge(EVENT);
              Instant completeUntil = it.now();
              it.list("", "c", completeUntil, row);
              it.list("&cursor=c", "", completeUntil, row);
            }),
        breaks(
            Rule.A_LIST_SKIPPED_AN_EVENT,
            it -> {
              it.acknowledge(EVENT);
              it.list("", "", it.now());
            }),
        breaks(
            Rule.A_LIST_SKIPPED_AN_EVENT,
            it -> {
              TableRow old = it.acknowledge(EVENT);
              TableRow skipped = it.acknowledge(OTHER);
              TableRow young = it.acknowledge(WITH_META);
              Instant completeUntil = it.now();
              it.list("", "c", completeUntil, young);
              it.list("&cursor=c", "", completeUntil, old);
              assertThat(skipped.createdAt()).isBetween(old.createdAt(), young.createdAt());
            }),
        breaks(
            Rule.NOT_LISTED_ONCE,
            it -> {
              it.send(EVENT, 0, "");
              it.storeUnlisted(row(EVENT, "a", it.now()));
              it.listOnly("b");
            }),
        breaks(
            Rule.LIST_AND_TABLE_DIFFER_IN_LENGTH,
            it -> {
              it.acknowledge(EVENT);
              it.listOnly("b");
            }));
  }

  @Override
  Stream<Arguments> keptRules() {
    return Stream.of(
        keeps(
            "an event that is younger than complete_until",
            it -> {
              Instant completeUntil = it.now();
              it.acknowledge(EVENT);
              it.list("", "", completeUntil);
            }),
        keeps(
            "an event that the next page shows",
            it -> {
              TableRow old = it.acknowledge(EVENT);
              TableRow young = it.acknowledge(OTHER);
              Instant completeUntil = it.now();
              it.list("", "c", completeUntil, young);
              it.list("&cursor=c", "", completeUntil, old);
            }));
  }
}
