package dev.connectorevents.acceptance.search;

import static dev.connectorevents.acceptance.search.HandMadeHistory.row;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Every rule about lists reports its own violation, and nothing that is allowed. */
class ListRulesTest extends RuleCases {

  ListRulesTest() {
    super(ListRules.class);
  }

  @Override
  Stream<Arguments> violations() {
    return Stream.of(
        when(
            "a list shows what is not stored",
            it -> it.list("", "", it.now(), row(EVENT, "a", it.now()))),
        when(
            "a list shows what is not stored",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.list("", "", row.createdAt(), row(EVENT, row.id(), it.now()));
            }),
        when(
            "a page has a complete_until of its own",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.list("", "c", it.now(), row);
              it.list("&cursor=c", "", it.now());
            }),
        when(
            "a list is not newest first",
            it -> {
              TableRow old = it.acknowledge(EVENT);
              it.list("", "", it.now(), old, it.acknowledge(OTHER));
            }),
        when(
            "a list repeats an event",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              Instant completeUntil = it.now();
              it.list("", "c", completeUntil, row);
              it.list("&cursor=c", "", completeUntil, row);
            }),
        when(
            "a list skipped an event",
            it -> {
              it.acknowledge(EVENT);
              it.list("", "", it.now());
            }),
        when(
            "a list skipped an event",
            it -> {
              TableRow old = it.acknowledge(EVENT);
              TableRow skipped = it.acknowledge(OTHER);
              TableRow young = it.acknowledge(WITH_META);
              Instant completeUntil = it.now();
              it.list("", "c", completeUntil, young);
              it.list("&cursor=c", "", completeUntil, old);
              assertThat(skipped.createdAt()).isBetween(old.createdAt(), young.createdAt());
            }),
        when(
            "not listed once",
            it -> {
              it.send(EVENT, 0, "");
              it.storeUnlisted(row(EVENT, "a", it.now()));
              it.listOnly("b");
            }),
        when(
            "the list is of another length",
            it -> {
              it.acknowledge(EVENT);
              it.listOnly("b");
            }));
  }

  @Override
  Stream<Arguments> allowed() {
    return Stream.of(
        when(
            "an event that is younger than complete_until",
            it -> {
              Instant completeUntil = it.now();
              it.acknowledge(EVENT);
              it.list("", "", completeUntil);
            }),
        when(
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
