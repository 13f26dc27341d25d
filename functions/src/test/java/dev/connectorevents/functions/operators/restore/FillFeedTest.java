package dev.connectorevents.functions.operators.restore;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.Promise;
import dev.connectorevents.event.EventType;
import dev.connectorevents.feed.Beat;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.ItemVersion;
import dev.connectorevents.feed.Whole;
import dev.connectorevents.functions.OperatorCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the function {@code restoreevents} brings back what the feed lacks. */
class FillFeedTest {

  private static final Instant FROM = Instant.parse("2026-11-20T10:00:00Z");
  private static final Instant TO = Instant.parse("2026-11-20T11:00:00Z");
  private static final String FILL =
      "{\"fill\":{\"from\":\"%s\",\"to\":\"%s\"}}".formatted(FROM, TO);

  /** From the first to the last time that there is. */
  private static final String FILL_ALL =
      "{\"fill\":{\"from\":\"0000-01-01T00:00:00Z\",\"to\":\"9999-12-31T23:59:59.9999Z\"}}";

  /** What a day without a beat loses, of those that the operator begins with. */
  private static final Whole.Gap LOST =
      new Whole.Gap(Instant.parse("2026-11-20T12:00:00Z"), Instant.parse("2026-11-20T14:00:00Z"));

  private final FillingOperator operator = new FillingOperator();
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
    stored.put(item(FROM.minusMillis(60_001))); // clocks differ
    stored.put(item(TO.plusSeconds(60)));

    JsonNode answer = operator.fill(FILL);

    assertThat(answer.get("searched").intValue()).isEqualTo(6);
    assertThat(answer.get("renumbered").intValue()).isEqualTo(3);
    assertThat(stored.renumberedAt(operator.clock.instant()))
        .extracting(ItemVersion::id)
        .containsExactlyInAnyOrder(lost.id(), replaced.id(), copied.id());
    assertThat(operator.calls.lastLine().get("searched").intValue()).isEqualTo(6);
    assertThat(operator.calls.lastLine().get("renumbered").intValue()).isEqualTo(3);
  }

  @Test
  @Promise("send its events again with `next` until it is absent. Everything may be repeated.")
  void a_fill_goes_on_call_by_call_and_a_call_may_be_repeated() {
    put(5 * InMemoryRenumberedEvents.PAGE);
    stored.beforePage = () -> operator.clock.advance(Duration.ofSeconds(25));

    JsonNode first = operator.fill(FILL);
    assertThat(first.get("renumbered").intValue())
        .as("of two pages, in 40 s")
        .isEqualTo(2 * InMemoryRenumberedEvents.PAGE);
    JsonNode second = operator.calls.next(FILL, first);
    JsonNode repeated = operator.calls.next(FILL, first);

    assertThat(second.get("renumbered")).isEqualTo(first.get("renumbered"));
    assertThat(repeated.get("renumbered").intValue())
        .as("the step is past, so the call takes the one that is open")
        .isEqualTo(InMemoryRenumberedEvents.PAGE);
    assertThat(operator.calls.next(FILL, repeated).has("next")).isFalse();
    assertThat(operator.calls.next(FILL, second).get("renumbered").intValue()).isZero();
  }

  @Test
  @Promise("of an empty `FeedTable`")
  void an_empty_feed_gets_all_that_is_stored_though_a_call_could_not_compare_with_so_many() {
    put(2 * FillingOperator.MOST_KNOWN);
    stored.beforePage = () -> operator.clock.advance(Duration.ofMinutes(1));
    int renumbered = 0;
    JsonNode answer = operator.fill(FILL_ALL);
    while (answer.has("next")) {
      renumbered += answer.get("renumbered").intValue();
      stored
          .renumberedAt(operator.clock.instant())
          .forEach(item -> operator.feed.append(TO, event(item)));
      answer = operator.calls.next(FILL_ALL, answer);
    }

    assertThat(renumbered + answer.get("renumbered").intValue())
        .isEqualTo(2 * FillingOperator.MOST_KNOWN);
  }

  @Test
  void what_is_stored_during_a_fill_is_left_to_the_stream() {
    stored.beforePage = () -> stored.put(item(operator.clock.instant()));

    assertThat(operator.fill(FILL_ALL).get("searched").intValue()).isZero();
  }

  @Test
  @Promise("the feed has more than 5,000,000 entries of the time of `fill`: send shorter ones")
  void a_time_of_which_the_feed_has_too_much_to_compare_with_is_refused() {
    operator.feed.append(FROM, events(FillingOperator.MOST_KNOWN));
    operator.feed.append(TO, event(item(TO.plusSeconds(60))));
    assertThat(operator.fill(FILL).has("code")).isFalse();
    operator.feed.append(TO, event(item(FROM)));
    put(1);

    assertThat(operator.fill(FILL).at("/errors/0/pointer").textValue()).isEqualTo("/fill");
    assertThat(stored.renumberedAt(operator.clock.instant())).isEmpty();
  }

  @Test
  @Promise("the feed has more than 5,000,000 entries of the time of `fill`: send shorter ones")
  void a_feed_that_takes_a_whole_call_to_read_is_refused() {
    operator.feed.append(FROM, events(1));
    operator.feed.beforeRead = () -> operator.clock.advance(Duration.ofSeconds(15));

    assertThat(operator.fill(FILL).at("/errors/0/pointer").textValue()).isEqualTo("/fill");
  }

  @Test
  void nothing_is_filled_before_the_feed_has_come_to_the_beat() {
    put(1);
    operator.beat();
    operator.events.isStreaming = false;

    JsonNode first = operator.calls.call(FILL);
    assertThat(first.get("wait_seconds").intValue()).isEqualTo(1);
    operator.clock.advance(Duration.ofSeconds(20));
    JsonNode second = operator.calls.next(FILL, first);
    assertThat(second.get("wait_seconds").intValue()).isEqualTo(11);
    assertThat(second.get("whole_until").textValue()).isEqualTo("2026-11-20T12:00:00.000Z");
    operator.clock.advance(Duration.ofHours(20));
    JsonNode third = operator.calls.next(FILL, second);
    assertThat(stored.renumberedAt(operator.clock.instant())).isEmpty();
    operator.events.handOver(0, 64);

    assertThat(operator.calls.next(FILL, third).get("renumbered").intValue()).isEqualTo(1);
  }

  @Test
  @Promise("The last answer says what the feed holds")
  void a_fill_ends_when_the_feed_has_come_to_what_it_wrote_and_gives_the_lost_time_back() {
    operator.beat();
    put(1);
    operator.lose();
    assertThat(operator.beat()).map(Whole::gap).contains(Optional.of(LOST));
    String part = fillOf("2026-11-20T13:00:00Z", "2026-11-22T00:00:00Z");
    JsonNode searched = operator.fill(part);
    assertThat(searched.get("wait_seconds").intValue()).isEqualTo(1);
    assertThat(operator.feed.whole()).as("not yet").map(Whole::gap).contains(Optional.of(LOST));

    JsonNode ended = operator.calls.next(part, searched);
    assertThat(ended.get("whole_since").textValue()).isEqualTo("2026-11-20T13:00:00.000Z");
    assertThat(ended.get("lost_from").textValue()).isEqualTo("2026-11-20T12:00:00.000Z");
    assertThat(ended.get("whole_until").textValue()).isEqualTo("2026-11-21T13:00:00.000Z");
    String rest = fillOf("2026-11-20T12:00:00Z", "2026-11-20T13:00:00Z");
    JsonNode last = operator.calls.next(rest, operator.fill(rest));

    assertThat(last.has("whole_since")).isFalse();
    assertThat(last.has("lost_from")).isFalse();
    assertThat(operator.beat()).map(Whole::gap).contains(Optional.empty());
  }

  private static String fillOf(String from, String to) {
    return "{\"fill\":{\"from\":\"%s\",\"to\":\"%s\"}}".formatted(from, to);
  }

  @Test
  void what_is_lost_while_a_fill_runs_is_not_given_back() {
    operator.beat();
    operator.lose();
    operator.beat();
    JsonNode searched = operator.fill(FILL_ALL);
    operator.lose();
    operator.beat();

    JsonNode last = operator.calls.next(FILL_ALL, searched);

    assertThat(last.get("lost_from").textValue()).isEqualTo("2026-11-20T12:00:00.000Z");
    assertThat(last.get("whole_since").textValue()).isEqualTo("2026-11-21T15:00:00.000Z");
  }

  /** What came in between, no stream hands over to it. */
  @Test
  @Promise("of an empty `FeedTable`")
  void a_fill_of_a_feed_that_is_made_anew_begins_two_minutes_after_its_first_beat() {
    operator.events.all = Optional.empty();
    put(1);
    JsonNode begun = operator.calls.call(FILL_ALL); // with the feed's first beat
    JsonNode early = operator.calls.next(FILL_ALL, begun);
    operator.clock.advance(Duration.ofSeconds(119));
    JsonNode waiting = operator.calls.next(FILL_ALL, early);
    assertThat(waiting.get("wait_seconds").intValue()).isPositive();
    assertThat(operator.events.last()).map(Beat::number).as("no further beat").contains(1L);
    assertThat(stored.renumberedAt(operator.clock.instant())).isEmpty();
    operator.clock.advance(Duration.ofSeconds(1));
    JsonNode again = operator.calls.next(FILL_ALL, waiting);
    JsonNode searched = operator.calls.next(FILL_ALL, again);
    assertThat(searched.get("renumbered").intValue()).isEqualTo(1);

    assertThat(operator.calls.next(FILL_ALL, searched).has("lost_from")).isFalse();
    assertThat(operator.feed.whole()).map(Whole::gap).contains(Optional.empty());
  }

  @Test
  void a_fill_that_sees_the_loss_first_gives_it_back() {
    operator.beat();
    put(1);
    operator.lose();
    JsonNode searched = operator.fill(FILL_ALL);
    operator.clock.advance(Duration.ofMinutes(7));
    operator.beat();

    assertThat(operator.calls.next(FILL_ALL, searched).has("lost_from")).isFalse();
    assertThat(operator.feed.whole()).map(Whole::gap).contains(Optional.empty());
  }

  @Test
  void the_last_answer_may_be_asked_for_again() {
    operator.beat();
    JsonNode searched = operator.fill(FILL);
    JsonNode last = operator.calls.next(FILL, searched);

    assertThat(last.has("whole_until")).isTrue();
    assertThat(operator.calls.next(FILL, searched)).isEqualTo(last);
  }

  @Test
  void what_was_stored_or_renumbered_about_when_the_marks_were_written_is_left_to_the_stream() {
    Instant marked = operator.clock.instant();
    ItemVersion lost = stored.put(item(marked.minusSeconds(60).minusMillis(1)));
    stored.put(item(marked.minusSeconds(60)));
    stored.put(renumbered(item(FROM), marked.minusSeconds(60)));
    ItemVersion lostAgain = stored.put(renumbered(item(FROM), marked.minusSeconds(61)));

    operator.fill(FILL_ALL);

    assertThat(stored.renumberedAt(marked))
        .extracting(ItemVersion::id)
        .containsExactlyInAnyOrder(lost.id(), lostAgain.id());
  }

  @Test
  @Promise("`next` belongs to another event")
  void a_next_that_somebody_has_made_up_fills_nothing() {
    put(1);
    operator.events.isStreaming = false;
    JsonNode waits = operator.calls.call(FILL);
    String run = waits.get("next").textValue().split(":", -1)[0];
    String restore = "{\"restore_from\":\"events-restored\"}";

    for (String next :
        List.of(
            "fill:%s:1795176000000:64:1795176000000:1:7".formatted(new UUID(0x7000, 1)),
            "table:",
            new UUID(0x7000, 1) + ":1",
            run,
            run + ":0",
            run + ":2")) {
      for (String request : List.of(FILL, restore)) {
        JsonNode answer = operator.calls.call(OperatorCalls.with(request, next));
        assertThat(answer.at("/errors/0/pointer").textValue()).as(next).isEqualTo("/next");
      }
    }
    for (String other : List.of(FILL_ALL, restore)) {
      assertThat(operator.calls.next(other, waits).at("/errors/0/pointer").textValue())
          .isEqualTo("/next");
    }
    assertThat(stored.renumberedAt(operator.clock.instant())).isEmpty();
    assertThat(operator.calls.next(FILL, waits).get("wait_seconds").intValue()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                                     | /restore_from
          {"restore_from":1}                                     | /restore_from
          {"restore_from":"events"}                              | /restore_from
          {"restore_from":"r","next":"table"}                    | /next
          {"restore_from":"r","brand_id":"b"}                    | /brand_id
          {"fill":1}                                             | /fill
          {"fill":{"from":"2026-11-20","to":null}}               | /fill/from /fill/to
          {"fill":{"from":"2026-11-20T09:00:00Z","to":"2026-11-20T09:00:00Z"}} | /fill/to
          {"fill":{"from":"2026-11-20T09:00:00Z","to":"2026-11-20T13:00:00Z","brand_id":"b"}} | /fill/brand_id
          {"fill":{"from":"2026-11-20T09:00:00Z","to":"2026-11-20T13:00:00Z"},"brand_id":"b"} | /brand_id
          {"fill":{"from":"2026-11-20T09:00:00Z","to":"2026-11-20T13:00:00Z"},"next":1} | /next
          """)
  void a_slip_is_named(String request, String pointers) {
    assertThat(operator.calls.call(request).get("errors").findValuesAsText("pointer"))
        .containsExactly(pointers.split(" ", -1));
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
