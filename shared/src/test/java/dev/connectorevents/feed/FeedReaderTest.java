package dev.connectorevents.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.Promise;
import dev.connectorevents.event.EventOrder;
import dev.connectorevents.feed.FeedReader.Bounds;
import dev.connectorevents.feed.FeedReader.Found;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FeedReaderTest {

  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  private final InMemoryFeed log = new InMemoryFeed();
  private final AdjustableClock clock = new AdjustableClock(NOON.toString());
  private final FeedReader reader = new FeedReader(log, clock);

  /** Appends segments, each a second after the one before; an entry's id is its position. */
  private void append(int... sizes) {
    for (int size : sizes) {
      long last = log.last().map(Segment::last).orElse(0L);
      FeedEntry[] entries =
          LongStream.rangeClosed(last + 1, last + size)
              .<FeedEntry>mapToObj(position ->
                  new FeedEntry.OfErasure(
                      new ItemVersion(new UUID(0, position), NOON, Optional.empty())))
              .toArray(FeedEntry[]::new);
      log.append(clock.instant(), entries);
      clock.advance(Duration.ofSeconds(1));
    }
  }

  private AtomicInteger countReads() {
    AtomicInteger reads = new AtomicInteger();
    log.beforeRead = reads::incrementAndGet;
    return reads;
  }

  private static List<Long> positions(Found found) {
    return found.entries().stream().map(Segment.Placed::position).toList();
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3", "7", "100"})
  @Promise("each event comes exactly once, by position, for as long as you follow `next`.")
  void pages_of_any_size_have_every_position_once_in_both_orders(int limit) {
    append(1, 3, 2, 1, 1, 5);
    List<Long> expected = new ArrayList<>(LongStream.rangeClosed(1, 13).boxed().toList());

    assertThat(pages(EventOrder.ASC, 1, limit)).isEqualTo(expected);
    Collections.reverse(expected);
    assertThat(pages(EventOrder.DESC, 13, limit)).isEqualTo(expected);
  }

  private List<Long> pages(EventOrder order, long begin, int limit) {
    List<Long> all = new ArrayList<>();
    long next = begin;
    while (next >= 1 && next <= 13) {
      Found found = reader.find(order, next, Bounds.NONE, entry -> true, limit);
      found
          .entries()
          .forEach(placed -> {
            assertThat(placed.entry().version().id()).isEqualTo(new UUID(0, placed.position()));
            all.add(placed.position());
          });
      assertThat(found.judged()).isEqualTo(all.getLast());
      next = order == EventOrder.ASC ? found.judged() + 1 : found.judged() - 1;
    }
    return all;
  }

  @Test
  void a_page_that_begins_past_the_last_position_stays_or_begins_at_the_last() {
    append(3);
    Optional<Segment> last = log.last();

    assertThat(reader.find(EventOrder.ASC, 4, Bounds.NONE, entry -> true, 9))
        .isEqualTo(new Found(List.of(), 3, false, Optional.empty(), last));
    assertThat(positions(reader.find(EventOrder.DESC, 9, Bounds.NONE, entry -> true, 9)))
        .containsExactly(3L, 2L, 1L);
    assertThat(reader.find(EventOrder.DESC, 0, Bounds.NONE, entry -> true, 9))
        .isEqualTo(new Found(List.of(), 1, true, Optional.empty(), last));
    FeedReader ofNone = new FeedReader(new InMemoryFeed(), clock);
    assertThat(ofNone.find(EventOrder.ASC, 1, Bounds.NONE, entry -> true, 9))
        .isEqualTo(new Found(List.of(), 0, false, Optional.empty(), Optional.empty()));
    assertThat(ofNone.find(EventOrder.DESC, 9, Bounds.NONE, entry -> true, 9))
        .isEqualTo(new Found(List.of(), 1, true, Optional.empty(), Optional.empty()));
  }

  @Test
  @Promise("**Nothing appears before a position that you have passed.**")
  void what_is_appended_meanwhile_is_left_to_the_next_page() {
    append(1, 2);

    Found found =
        reader.find(
            EventOrder.ASC,
            1,
            Bounds.NONE,
            entry -> {
              append(1);
              return true;
            },
            9);

    assertThat(positions(found)).containsExactly(1L, 2L, 3L);
    assertThat(found.head()).isEqualTo(3);
    assertThat(log.last().orElseThrow().last()).isEqualTo(6);
  }

  @Test
  @Promise({"left out. A page may be short", "It never goes back and never expires."})
  void what_does_not_pass_is_judged_too() {
    append(2, 2);

    Found found =
        reader.find(
            EventOrder.ASC,
            1,
            Bounds.NONE,
            placed -> placed.entry().version().id().getLeastSignificantBits() == 2,
            9);

    assertThat(positions(found)).containsExactly(2L);
    assertThat(found.judged()).isEqualTo(4);
  }

  @Test
  void a_full_page_is_judged_up_to_the_next_entry_that_passes() {
    append(5);

    Found found =
        reader.find(
            EventOrder.ASC,
            1,
            Bounds.NONE,
            placed -> placed.entry().version().id().getLeastSignificantBits() % 3 == 1,
            1);

    assertThat(positions(found)).containsExactly(1L);
    assertThat(found.judged()).isEqualTo(3);
  }

  /** Columns: the order, where a page of two begins, and the second of the entry after it. */
  @ParameterizedTest
  @CsvSource({"ASC, 1, 0", "ASC, 2, 1", "ASC, 4, 2", "ASC, 6, ", "ASC, 7, ", "DESC, 6, "})
  void a_page_knows_when_the_entry_after_it_got_its_position(
      EventOrder order, long begin, @Nullable Long second) {
    append(3, 2, 1, 1);

    assertThat(reader.find(order, begin, Bounds.NONE, entry -> true, 2).unreadAt())
        .isEqualTo(Optional.ofNullable(second).map(NOON::plusSeconds));
  }

  @Test
  @Promise("It looks at 20,000 positions or 1 MB of the feed, and for 2 s at most.")
  void a_page_looks_at_20_000_entries_and_reads_more_segments_at_a_time() {
    for (int i = 0; i < 25; i++) {
      append(1_000);
    }
    AtomicInteger reads = countReads();

    Found found = reader.find(EventOrder.ASC, 501, Bounds.NONE, entry -> false, 100);

    assertThat(found.judged()).isEqualTo(20_500);
    assertThat(reads).hasValueLessThanOrEqualTo(4);
    assertThat(reader.find(EventOrder.DESC, 25_000, Bounds.NONE, entry -> false, 100).judged())
        .isEqualTo(5_001);
  }

  /** Columns: the position at which a page of the 120 begins, and its reads. */
  @ParameterizedTest
  @CsvSource({"1, 3", "110, 3", "120, 1", "121, 1"})
  void a_page_of_small_segments_takes_three_reads_and_one_at_the_end(long begin, int reads) {
    for (int i = 0; i < 120; i++) {
      append(1);
    }
    AtomicInteger counted = countReads();

    assertThat(reader.find(EventOrder.ASC, begin, Bounds.NONE, entry -> true, 100).entries())
        .hasSize((int) Math.min(100, 121 - begin));
    assertThat(counted).hasValue(reads);
  }

  @Test
  @Promise("It looks at 20,000 positions or 1 MB of the feed, and for 2 s at most.")
  void a_page_ends_after_two_seconds_and_the_next_one_goes_on() {
    append(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
    FeedReader slow =
        new FeedReader(
            log,
            () -> {
              clock.advance(Duration.ofSeconds(2));
              return clock.instant();
            });

    Found first = slow.find(EventOrder.ASC, 1, Bounds.NONE, entry -> false, 9);

    assertThat(first.judged()).isEqualTo(1);
    assertThat(slow.find(EventOrder.ASC, 2, Bounds.NONE, entry -> false, 9).judged()).isEqualTo(2);
  }

  @Test
  @Promise("**Nothing appears before a position that you have passed.**")
  void no_reader_goes_past_a_gap() {
    append(2);
    Segment third = new Segment("00c0ffee", 4, NOON, log.last().orElseThrow().entries());
    log.append("a", log.tail("a"), third, new SequenceNumber("1"));
    InMemoryFeed late = new InMemoryFeed();
    late.append("a", late.tail("a"), third, new SequenceNumber("1"));
    FeedReader beginsLate = new FeedReader(late, clock);
    List<Runnable> reads =
        List.of(
            () -> reader.find(EventOrder.ASC, 1, Bounds.NONE, entry -> true, 9),
            () -> reader.find(EventOrder.ASC, 3, Bounds.NONE, entry -> true, 9),
            () -> reader.find(EventOrder.DESC, 5, Bounds.NONE, entry -> true, 9),
            () -> beginsLate.positionBeforeCreated(NOON));

    assertThat(reads)
        .allSatisfy(read ->
            assertThatExceptionOfType(DependencyUnavailableException.class)
                .isThrownBy(read::run)
                .withMessageStartingWith("the feed has a gap at position "));
  }

  /** Positions 1 to 9 were given at noon and in the 3 seconds after, three of them twice. */
  @ParameterizedTest
  @CsvSource({"-1, 0", "0, 0", "0.5, 2", "1, 2", "2, 5", "3, 8", "4, 9"})
  void the_position_before_what_was_created_is_the_last_that_was_given_a_minute_before(
      String seconds, long position) {
    append(2, 3, 1);
    clock.advance(Duration.ofSeconds(-1));
    append(2, 1);

    Instant created = NOON.plusSeconds(60).plus(Duration.parse("PT" + seconds + "S"));
    assertThat(reader.positionBeforeCreated(created)).isEqualTo(position);
  }

  @ParameterizedTest
  @CsvSource({"ASC, 1, '3 4 5 6', 6", "DESC, 9, '6 5 4 3', 3"})
  @Promise({
    "`numbered_at` is this time, and `from` and `to` compare it.",
    "the feed begins at the first event, or at `from`."
  })
  void bounds_leave_out_what_lies_beyond(
      EventOrder order, long begin, String expected, long judged) {
    append(2, 3, 1, 3);
    Optional<Instant> from = Optional.of(NOON.plusSeconds(1));
    Bounds bounds =
        switch (order) {
          case ASC -> new Bounds(from, Optional.empty(), 6);
          case DESC -> new Bounds(from, Optional.of(NOON.plusSeconds(3)), Long.MAX_VALUE);
        };

    Found found = reader.find(order, begin, bounds, entry -> true, 9);

    assertThat(positions(found).toString().replaceAll("[\\[\\],]", "")).isEqualTo(expected);
    assertThat(found.judged()).isEqualTo(judged);
    assertThat(found.isOver()).isTrue();
  }
}
