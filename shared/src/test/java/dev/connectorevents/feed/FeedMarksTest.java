package dev.connectorevents.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.event.Marks;
import dev.connectorevents.feed.FeedMarks.Look;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeedMarksTest {

  private static final UUID RUN = new UUID(1, 2);

  private final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
  private final InMemoryFeed feed = new InMemoryFeed();
  private final TreeSet<Integer> written = new TreeSet<>();
  private final FeedMarks feedMarks =
      new FeedMarks(
          (run, first, last, expires) -> IntStream.rangeClosed(first, last).forEach(written::add),
          feed,
          clock);
  private final Marks begun = feedMarks.begin(RUN);

  @Test
  void the_feed_is_far_enough_when_all_of_64_marks_are_noted() {
    assertThat(begun).isEqualTo(new Marks(64, clock.instant(), Optional.empty()));
    assertThat(written).hasSize(64).contains(1, 64);
    note(1, 63, 1);
    assertThat(feedMarks.look(RUN, begun)).isEqualTo(new Look.NotYet(begun));
    note(64, 64, 5);

    assertThat(feedMarks.look(RUN, begun)).isEqualTo(noted(2, 0));
  }

  @Test
  void the_head_is_that_of_the_moment_after_all_notes_were_read() {
    FeedEntry[] numbered = FeedAppendsTest.segment(1, 3).entries().toArray(FeedEntry[]::new);
    feed.beforeNotes =
        () -> {
          feed.append(clock.instant(), numbered);
          note(1, 64, 4);
        };

    assertThat(feedMarks.look(RUN, begun)).isEqualTo(noted(4, 3));
  }

  @Test
  void marks_of_many_shards_become_sixteen_for_each() {
    note(1, 64, 5);
    clock.advance(Duration.ofSeconds(3));
    Marks more = new Marks(80, clock.instant(), Optional.empty());

    assertThat(feedMarks.look(RUN, begun)).isEqualTo(new Look.NotYet(more));
    assertThat(written).hasSize(80);
    note(65, 80, 7);
    assertThat(feedMarks.look(RUN, more)).isInstanceOf(Look.NotYet.class);
    assertThat(written).hasSize(7 * 16);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -2_000_000_000})
  void no_run_has_less_than_one_mark(int written) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Marks(written, Instant.EPOCH, Optional.empty()));
  }

  @Test
  void marks_that_are_not_noted_in_20_hours_are_lost() {
    note(2, 64, 1);
    clock.advance(Duration.ofHours(20).minusMillis(1));
    assertThat(feedMarks.look(RUN, begun)).isInstanceOf(Look.NotYet.class);
    clock.advance(Duration.ofMillis(1));
    assertThat(feedMarks.look(RUN, begun)).isEqualTo(new Look.Lost());

    note(1, 1, 1);
    assertThat(feedMarks.look(RUN, begun)).as("noted after all").isEqualTo(noted(1, 0));
  }

  @Test
  void what_was_noted_stays_though_its_notes_have_expired() {
    Marks all = new Marks(64, Instant.EPOCH, Optional.of(new Marks.Noted(3, 7)));

    assertThat(feedMarks.look(RUN, all)).isEqualTo(new Look.AllNoted(all));
  }

  @Test
  void the_longer_marks_wait_the_later_to_look_again() {
    assertThat(feedMarks.pause(begun)).hasSeconds(1);
    clock.advance(Duration.ofSeconds(20));
    assertThat(feedMarks.pause(begun)).hasSeconds(11);
    clock.advance(Duration.ofHours(1));
    assertThat(feedMarks.pause(begun)).hasSeconds(30);
  }

  private Look noted(int shards, long head) {
    return new Look.AllNoted(new Marks(64, begun.at(), Optional.of(new Marks.Noted(shards, head))));
  }

  private void note(int first, int last, int shards) {
    IntStream.rangeClosed(first, last)
        .forEach(i -> feed.note("shard" + i % shards, List.of(new FeedAppends.Mark(RUN, i))));
  }
}
