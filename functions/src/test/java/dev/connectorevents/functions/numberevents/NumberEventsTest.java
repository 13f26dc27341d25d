package dev.connectorevents.functions.numberevents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.Promise;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.InMemoryFeed;
import dev.connectorevents.feed.ItemVersion;
import dev.connectorevents.feed.Segment;
import dev.connectorevents.feed.SequenceNumber;
import dev.connectorevents.functions.numberevents.NumberEvents.Numberable;
import dev.connectorevents.functions.numberevents.NumberEvents.Numbered;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NumberEventsTest {

  private static final String SHARD = "shard";
  private static final String OTHER_SHARD = "other shard";

  private final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00.123456Z");
  private final InMemoryFeed feed = new InMemoryFeed();
  private final List<Duration> waits = new ArrayList<>();
  private final NumberEvents numberEvents =
      new NumberEvents(feed, new LongestWaits(), clock, waits::add);

  /** Always chooses the longest wait that is allowed. */
  private static final class LongestWaits implements RandomGenerator {

    @Override
    public long nextLong() {
      return 0x3f9a01c2_00000000L;
    }

    @Override
    public long nextLong(long bound) {
      return bound - 1;
    }
  }

  @Test
  @Promise("Every stored event and every erasure gets a position: 1, 2, 3 and so on, without a gap")
  void positions_follow_each_other_whatever_shard_they_are_of() {
    assertThat(numberEvents.number(SHARD, records(1, 3))).isEqualTo(numbered(3, 1));
    assertThat(numberEvents.number(OTHER_SHARD, records(1, 2))).isEqualTo(numbered(2, 4));
    assertThat(numberEvents.number(SHARD, records(4, 1))).isEqualTo(numbered(1, 6));

    assertThat(feed.segments()).extracting(Segment::first).containsExactly(1L, 4L, 6L);
    assertThat(entries()).containsExactlyElementsOf(entries(1, 2, 3, 1, 2, 4));
    assertThat(waits).isEmpty();
  }

  @Test
  @Promise("Every stored event and every erasure gets a position: 1, 2, 3 and so on, without a gap")
  void what_is_handed_over_again_has_its_position_already() {
    numberEvents.number(SHARD, records(8, 3));

    assertThat(numberEvents.number(SHARD, records(8, 3)))
        .isEqualTo(new Numbered(0, Optional.empty(), 0));
    assertThat(numberEvents.number(SHARD, records(9, 1)))
        .as("a part")
        .isEqualTo(new Numbered(0, Optional.empty(), 0));
    assertThat(numberEvents.number(SHARD, records(8, 5))).as("and more").isEqualTo(numbered(2, 4));

    assertThat(entries()).containsExactlyElementsOf(entries(8, 9, 10, 11, 12));
  }

  @Test
  void nothing_is_written_and_nothing_read_if_there_is_nothing_to_number() {
    feed.beforeRead = NumberEventsTest::fail;

    assertThat(numberEvents.number(SHARD, List.of()))
        .isEqualTo(new Numbered(0, Optional.empty(), 0));
  }

  @Test
  void more_than_a_segment_can_hold_becomes_several() {
    assertThat(numberEvents.number(SHARD, records(1, 2_001))).isEqualTo(numbered(2_001, 1));

    assertThat(feed.segments()).extracting(Segment::first).containsExactly(1L, 1_001L, 2_001L);
    assertThat(entries())
        .containsExactlyElementsOf(entries(IntStream.rangeClosed(1, 2_001).toArray()));
  }

  @Test
  @Promise("Every stored event and every erasure gets a position: 1, 2, 3 and so on, without a gap")
  void a_call_that_fails_half_way_is_repeated_and_goes_on() {
    feed.beforeAppend = () -> feed.beforeAppend = NumberEventsTest::fail;
    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> numberEvents.number(SHARD, records(1, 2_001)));
    assertThat(waits).isEmpty();
    feed.beforeAppend = () -> {};

    assertThat(numberEvents.number(SHARD, records(1, 2_001))).isEqualTo(numbered(1_001, 1_001));

    assertThat(entries())
        .containsExactlyElementsOf(entries(IntStream.rangeClosed(1, 2_001).toArray()));
  }

  @Test
  void who_is_overtaken_by_another_shard_waits_and_tries_again() {
    overtake(1, 9);

    assertThat(numberEvents.number(SHARD, records(100, 2)))
        .isEqualTo(new Numbered(2, Optional.of(10L), 9));

    assertThat(entries()).containsExactlyElementsOf(entries(1, 2, 3, 4, 5, 6, 7, 8, 9, 100, 101));
    assertThat(waits)
        .extracting(wait -> wait.plusNanos(1).toMillis())
        .containsExactly(20L, 40L, 80L, 160L, 320L, 640L, 1_280L, 1_280L, 1_280L);
  }

  /** Lets a writer of another shard append these records, each before one of the next appends. */
  private void overtake(int first, int last) {
    feed.beforeAppend =
        () -> {
          feed.beforeAppend = () -> {};
          numberEvents.number(OTHER_SHARD, records(first, 1));
          if (first < last) {
            overtake(first + 1, last);
          }
        };
  }

  @Test
  @Promise("Every stored event and every erasure gets a position: 1, 2, 3 and so on, without a gap")
  void who_is_overtaken_by_another_call_of_its_shard_leaves_out_what_that_one_has_numbered() {
    feed.beforeAppend =
        () -> {
          feed.beforeAppend = () -> {};
          numberEvents.number(SHARD, records(1, 2));
        };

    assertThat(numberEvents.number(SHARD, records(1, 3)))
        .isEqualTo(new Numbered(1, Optional.of(3L), 1));

    assertThat(entries()).containsExactlyElementsOf(entries(1, 2, 3));
  }

  @Test
  @Promise("after the name of the feed, 8 hexadecimal digits.")
  void a_feed_gets_its_name_with_the_first_position_and_keeps_it() {
    numberEvents.number(SHARD, records(1, 1));
    new NumberEvents(feed, RandomGenerator.getDefault(), clock, waits::add)
        .number(SHARD, records(2, 1));

    assertThat(feed.segments()).extracting(Segment::feed).containsExactly("3f9a01c2", "3f9a01c2");
  }

  @Test
  void times_of_positions_are_whole_milliseconds_and_never_go_back() {
    numberEvents.number(SHARD, records(1, 1));
    clock.advance(Duration.ofHours(-1)); // as the clock of another writer
    numberEvents.number(SHARD, records(2, 1));
    clock.advance(Duration.ofHours(2));
    numberEvents.number(SHARD, records(3, 1));

    assertThat(feed.segments())
        .extracting(Segment::at)
        .map(Instant::toString)
        .containsExactly(
            "2026-11-20T12:00:00.123Z", "2026-11-20T12:00:00.123Z", "2026-11-20T13:00:00.123Z");
  }

  private static Numbered numbered(int entries, long first) {
    return new Numbered(entries, Optional.of(first), 0);
  }

  private static void fail() {
    throw new DependencyUnavailableException("the feed is down");
  }

  /** Records of a shard, with these numbers. */
  private static List<Numberable> records(int first, int count) {
    return IntStream.range(first, first + count)
        .mapToObj(i -> new Numberable(new SequenceNumber("" + i), entry(i)))
        .toList();
  }

  private static FeedEntry entry(int number) {
    return new FeedEntry.OfErasure(
        new ItemVersion(new UUID(0, number), Instant.EPOCH, Optional.empty()));
  }

  private static List<FeedEntry> entries(int... numbers) {
    return IntStream.of(numbers).mapToObj(NumberEventsTest::entry).toList();
  }

  /** All entries of the feed. */
  private List<FeedEntry> entries() {
    return feed.segments().stream().flatMap(segment -> segment.entries().stream()).toList();
  }
}
