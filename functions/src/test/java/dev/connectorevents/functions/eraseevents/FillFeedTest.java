package dev.connectorevents.functions.eraseevents;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.Promise;
import dev.connectorevents.event.EventType;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.ItemVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How the function {@code eraseevents} brings back what the feed lacks, and shows the feed. */
class FillFeedTest {

  private static final Instant FROM = Instant.parse("2026-11-20T10:00:00Z");
  private static final Instant TO = Instant.parse("2026-11-20T11:00:00Z");
  private static final String FILL =
      "{\"fill\":{\"from\":\"%s\",\"to\":\"%s\"}}".formatted(FROM, TO);

  /** From the first to the last time that there is. */
  private static final String FILL_ALL =
      "{\"fill\":{\"from\":\"0000-01-01T00:00:00Z\",\"to\":\"9999-12-31T23:59:59.9999Z\"}}";

  private final ErasingOperator operator = new ErasingOperator();
  private final InMemoryRenumberedEvents stored = operator.stored;

  @Test
  @Promise("gives those that the feed lacks the attribute `renumbered_at`.")
  void what_the_feed_lacks_gets_a_new_position_and_what_it_has_keeps_its_own() {
    ItemVersion event = stored.put(item(FROM));
    ItemVersion tombstone = stored.put(item(TO.minusMillis(1)));
    ItemVersion filled = stored.put(renumbered(item(FROM), TO));
    operator.feed.append(
        FROM.minusSeconds(30), event(event)); // by another clock than that of the event
    operator.feed.append(TO.plusSeconds(30), new FeedEntry.OfErasure(tombstone), event(filled));
    ItemVersion lost = stored.put(item(FROM));
    ItemVersion replaced = item(FROM);
    ItemVersion copied = item(FROM);
    operator.feed.append(TO.plusSeconds(30), event(replaced), event(copied));
    stored.put(new ItemVersion(replaced.id(), FROM.plusMillis(1), Optional.empty()));
    stored.put(renumbered(copied, TO));
    stored.put(item(FROM.minusMillis(1)));
    stored.put(item(TO));

    JsonNode answer = operator.call(FILL);

    assertThat(answer).hasToString("{\"searched\":6,\"renumbered\":3}");
    assertThat(stored.renumberedAt(operator.clock.instant()))
        .extracting(ItemVersion::id)
        .containsExactlyInAnyOrder(lost.id(), replaced.id(), copied.id());
    assertThat(operator.lastLine().get("searched").intValue()).isEqualTo(6);
    assertThat(operator.lastLine().get("renumbered").intValue()).isEqualTo(3);
  }

  @Test
  @Promise("Send the event again with `next` until it is absent. All may be repeated.")
  void a_fill_goes_on_call_by_call_and_a_call_may_be_repeated() {
    put(5 * InMemoryRenumberedEvents.PAGE);
    stored.beforePage = () -> operator.clock.advance(Duration.ofSeconds(25));

    JsonNode first = operator.call(FILL);
    assertThat(first.get("renumbered").intValue())
        .as("of two pages, in 40 s")
        .isEqualTo(2 * InMemoryRenumberedEvents.PAGE);
    JsonNode second = operator.next(FILL, first);
    JsonNode repeated = operator.next(FILL, first);

    assertThat(second.get("renumbered")).isEqualTo(first.get("renumbered"));
    assertThat(repeated.get("searched")).isEqualTo(second.get("searched"));
    assertThat(repeated.get("renumbered").intValue()).isZero();
    assertThat(repeated.get("next")).isEqualTo(second.get("next"));
    assertThat(operator.next(FILL, repeated)).hasToString("{\"searched\":10,\"renumbered\":10}");
  }

  @Test
  @Promise("of an empty `FeedTable`")
  void an_empty_feed_gets_all_that_is_stored_though_a_call_could_not_compare_with_so_many() {
    put(2 * ErasingOperator.MOST_KNOWN);
    stored.beforePage = () -> operator.clock.advance(Duration.ofMinutes(1));
    int renumbered = 0;
    JsonNode answer = operator.call(FILL_ALL);
    while (answer.has("next")) {
      renumbered += answer.get("renumbered").intValue();
      stored
          .renumberedAt(operator.clock.instant())
          .forEach(item -> operator.feed.append(TO, event(item)));
      answer = operator.next(FILL_ALL, answer);
    }

    assertThat(renumbered + answer.get("renumbered").intValue())
        .isEqualTo(2 * ErasingOperator.MOST_KNOWN);
  }

  @Test
  void what_is_stored_during_a_fill_is_left_to_the_stream() {
    stored.beforePage = () -> stored.put(item(operator.clock.instant()));

    assertThat(operator.call(FILL_ALL)).hasToString("{\"searched\":0,\"renumbered\":0}");
  }

  @Test
  @Promise("The feed has more than 5,000,000 entries of the time of `fill`: send shorter ones")
  void a_time_of_which_the_feed_has_too_much_to_compare_with_is_refused() {
    operator.feed.append(FROM, events(ErasingOperator.MOST_KNOWN));
    operator.feed.append(TO, event(item(TO)));
    assertThat(operator.call(FILL).has("code")).isFalse();
    operator.feed.append(TO, event(item(FROM)));
    put(1);

    assertThat(operator.call(FILL).at("/errors/0/pointer").textValue()).isEqualTo("/fill");
    assertThat(stored.renumberedAt(operator.clock.instant())).isEmpty();
  }

  @Test
  @Promise("The feed has more than 5,000,000 entries of the time of `fill`: send shorter ones")
  void a_feed_that_takes_a_whole_call_to_read_is_refused() {
    operator.feed.append(FROM, events(1));
    operator.feed.beforeRead = () -> operator.clock.advance(Duration.ofSeconds(15));

    assertThat(operator.call(FILL).at("/errors/0/pointer").textValue()).isEqualTo("/fill");
  }

  @Test
  void a_next_of_another_feed_that_was_longer_goes_on() {
    put(1);

    JsonNode answer =
        operator.call(ErasingOperator.with(FILL, "fill:1795176000000:7:" + new UUID(0, 0)));

    assertThat(answer).hasToString("{\"searched\":1,\"renumbered\":1}");
  }

  @Test
  void the_feed_can_be_shown() {
    assertThat(operator.call("{\"feed\":true}")).hasToString("{\"feed\":{\"head\":0}}");

    operator.feed.append(FROM, events(3));
    operator.feed.append(TO, events(1));

    assertThat(operator.call("{\"feed\":true}"))
        .hasToString(
            "{\"feed\":{\"head\":4,\"feed\":\"00c0ffee\","
                + "\"numbered_at\":\"2026-11-20T11:00:00.000Z\"}}");
  }

  /** Stores events that the feed lacks. */
  private void put(int count) {
    for (int i = 0; i < count; i++) {
      stored.put(item(FROM));
    }
  }

  private static FeedEntry[] events(int count) {
    return Stream.generate(() -> event(item(FROM))).limit(count).toArray(FeedEntry[]::new);
  }

  private static FeedEntry event(ItemVersion version) {
    return new FeedEntry.OfEvent(version, new EventType("a.b"), new UUID(1, 2), Optional.empty());
  }

  private static ItemVersion item(Instant at) {
    return new ItemVersion(UUID.randomUUID(), at, Optional.empty());
  }

  private static ItemVersion renumbered(ItemVersion item, Instant at) {
    return new ItemVersion(item.id(), item.at(), Optional.of(at));
  }
}
