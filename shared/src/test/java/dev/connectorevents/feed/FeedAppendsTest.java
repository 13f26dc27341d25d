package dev.connectorevents.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.event.EventType;
import dev.connectorevents.feed.FeedAppends.Tail;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The sentences that each store of the feed holds: the service's, and that of its tests. */
public abstract class FeedAppendsTest {

  protected static final Instant AT = Instant.parse("2026-11-20T12:00:00.123Z");

  /** The store under test, without any segment. */
  protected abstract FeedAppends appends();

  protected abstract WholeFeed log();

  @Test
  @Promise("Every stored event and every erasure gets a position: 1, 2, 3 and so on, without a gap")
  void a_segment_and_the_progress_are_appended_together() {
    Tail none = appends().tail("a");
    Segment first = segment(1, 3);
    Segment second = segment(4, 1);

    assertThat(none).isEqualTo(new Tail(Optional.empty(), Optional.empty()));
    assertThat(appends().append("a", none, first, number(7))).isTrue();
    assertThat(appends().tail("a")).isEqualTo(new Tail(Optional.of(first), number("7")));
    assertThat(appends().append("b", appends().tail("b"), second, number(5))).isTrue();
    assertThat(appends().tail("a")).isEqualTo(new Tail(Optional.of(second), number("7")));
  }

  @Test
  @Promise("Every stored event and every erasure gets a position: 1, 2, 3 and so on, without a gap")
  void of_two_writers_that_read_the_same_end_one_appends() {
    Tail a = appends().tail("a");
    Tail b = appends().tail("b");

    assertThat(appends().append("a", a, segment(1, 3), number(7))).isTrue();
    assertThat(appends().append("b", b, segment(1, 2), number(9))).isFalse();

    assertThat(log().forward(1, 9)).containsExactly(segment(1, 3));
    assertThat(appends().tail("b").progress()).isEmpty();
  }

  @Test
  @Promise("Every stored event and every erasure gets a position: 1, 2, 3 and so on, without a gap")
  void nothing_is_appended_if_another_call_has_moved_the_progress() {
    Tail absent = new Tail(Optional.empty(), Optional.empty());
    appends().append("a", absent, segment(1, 1), number(7));
    Tail old = appends().tail("a");
    appends().append("a", old, segment(2, 1), number(8));

    assertThat(appends().append("a", old, segment(3, 1), number(9))).isFalse();
    assertThat(appends().append("a", absent, segment(3, 1), number(9))).isFalse();

    assertThat(log().last()).hasValue(segment(2, 1));
    assertThat(appends().tail("a").progress()).isEqualTo(number("8"));
  }

  @Test
  void segments_are_read_from_a_position_in_both_directions() {
    List<Segment> all = List.of(segment(1, 3), segment(4, 1), segment(5, 2));
    for (Segment each : all) {
      appends().append("a", appends().tail("a"), each, number(each.last()));
    }

    assertThat(log().forward(1, 9)).isEqualTo(all);
    assertThat(log().forward(2, 9)).isEqualTo(all.subList(1, 3));
    assertThat(log().forward(1, 2)).isEqualTo(all.subList(0, 2));
    assertThat(log().forward(7, 2)).isEmpty();
    assertThat(log().backward(9, 9)).isEqualTo(all.reversed());
    assertThat(log().backward(4, 1)).containsExactly(all.get(1));
    assertThat(log().backward(3, 1)).containsExactly(all.get(0));
  }

  @Test
  void the_last_note_of_each_mark_is_kept_beside_no_segment() {
    appends().note(List.of(note(63, 1, "a"), note(0, 1, "a"), note(1_200, 1, "b")));
    appends().note(List.of(note(63, 3, "b")));
    appends().note(List.of(note(0, 2, "a")));

    assertThat(log().notes())
        .containsExactly(note(0, 2, "a"), note(63, 3, "b"), note(1_200, 1, "b"));
    assertThat(log().last()).isEmpty();
  }

  private static MarkNote note(int mark, long beat, String shard) {
    return new MarkNote(mark, beat, AT.plusSeconds(beat), shard, "stream");
  }

  @Test
  void what_the_feed_holds_is_replaced_by_who_has_read_it() {
    Whole named =
        new Whole(
            Optional.of("00c0ffee"),
            "stream",
            7,
            AT,
            12,
            Optional.of(new Whole.Gap(Instant.EPOCH, AT.minusSeconds(1))));
    Whole first = new Whole(Optional.empty(), "stream", 6, AT, 0, Optional.empty());

    assertThat(log().whole()).isEmpty();
    assertThat(log().replace(Optional.of(named), first)).isFalse();
    assertThat(log().replace(Optional.empty(), first)).isTrue();
    assertThat(log().replace(Optional.empty(), named)).isFalse();
    assertThat(log().whole()).contains(first);
    assertThat(log().replace(Optional.of(first), named)).isTrue();
    assertThat(log().replace(Optional.of(first), first)).isFalse();
    assertThat(log().whole()).contains(named);
    assertThat(log().last()).isEmpty();
  }

  /** A segment of an erasure, and of events with and without a brand and a new position. */
  protected static Segment segment(long first, int entries) {
    List<FeedEntry> all =
        List.of(
            new FeedEntry.OfErasure(new ItemVersion(new UUID(first, 1), AT, Optional.of(AT))),
            new FeedEntry.OfEvent(
                new ItemVersion(new UUID(first, 2), AT, Optional.empty()),
                new EventType("shopify.orders/create"),
                new UUID(0, 7),
                Optional.of(BrandHash.of("acme"))),
            new FeedEntry.OfEvent(
                new ItemVersion(new UUID(first, 3), AT.plusMillis(1), Optional.of(AT)),
                new EventType("github.push"),
                new UUID(0, 8),
                Optional.empty()));
    return new Segment("00c0ffee", first, AT, all.subList(0, entries));
  }

  private static SequenceNumber number(long value) {
    return new SequenceNumber("" + value);
  }

  private static Optional<SequenceNumber> number(String digits) {
    return Optional.of(new SequenceNumber(digits));
  }
}
