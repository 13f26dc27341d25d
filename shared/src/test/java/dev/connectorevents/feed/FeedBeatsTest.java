package dev.connectorevents.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.feed.FeedBeats.Look;
import dev.connectorevents.feed.Whole.Gap;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FeedBeatsTest {

  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  private final AdjustableClock clock = new AdjustableClock(NOON.toString());
  private final InMemoryFeed feed = new InMemoryFeed();
  private final InMemoryMarkedEvents events = new InMemoryMarkedEvents(feed::note);
  private final FeedBeats beats = new FeedBeats(events, feed, clock);

  @Test
  void the_feed_holds_all_that_was_stored_before_a_beat_whose_64_marks_are_all_noted() {
    events.isStreaming = false;
    feed.append(NOON, entry(1), entry(2));
    Beat beat = beats.begin(0).beat();
    events.handOver(1, 64);
    assertThat(beats.look(beat)).isEqualTo(new Look(Optional.empty(), Optional.empty(), 64));
    events.handOver(0, 1);

    assertThat(beats.look(beat).of(beat)).contains(whole(1, NOON, 2, null));
  }

  @Test
  void an_old_mark_tells_how_far_a_feed_has_come_that_is_behind() {
    Beat first = beats.begin(0).beat();
    events.isStreaming = false;
    clock.advance(Duration.ofMinutes(5));
    Beat second = beats.begin(0).beat();
    events.handOver(1, 64);

    Look look = beats.look(second);

    assertThat(look.of(second)).isEmpty();
    assertThat(look.of(first)).map(Whole::until).contains(NOON);
  }

  @Test
  void the_head_is_that_of_the_moment_after_the_notes_were_read() {
    Beat beat = beats.begin(0).beat();
    feed.beforeNotes = () -> feed.append(clock.instant(), entry(1), entry(2), entry(3));

    assertThat(beats.look(beat).of(beat)).map(Whole::head).contains(3L);
  }

  @ParameterizedTest
  @CsvSource({"4, 64", "5, 86", "9, 147"}) // 64 marks on 9 shards: one has 7 of them
  void each_shard_that_is_named_has_sixteen_marks_or_the_next_beat_has_more(
      int shards, int needed) {
    events.shards = shards;
    Beat beat = beats.begin(0).beat();

    Look look = beats.look(beat);

    assertThat(look.marks()).isEqualTo(needed);
    assertThat(look.whole().isPresent()).isEqualTo(needed == 64);
    Beat next = beats.begin(look.marks()).beat();
    assertThat(next.marks()).isEqualTo(needed);
    assertThat(beats.look(next).of(next)).isPresent();
    assertThat(beats.begin(0).beat().marks()).as("kept").isEqualTo(needed);
  }

  @Test
  void while_notes_are_of_two_beats_a_shard_that_has_ended_needs_no_more_marks() {
    beats.begin(0);
    events.isStreaming = false;
    events.shard = "child";
    Beat second = beats.begin(0).beat();
    events.handOver(1, 64);
    assertThat(beats.look(second)).isEqualTo(new Look(Optional.empty(), Optional.empty(), 64));
    events.handOver(0, 1);

    assertThat(beats.look(second).of(second)).isPresent();
  }

  @Test
  void a_feed_that_is_made_anew_while_a_shard_is_behind_lacks_what_the_other_had_handed_over() {
    events.all = Optional.empty();
    Beat first = beatWithAShardThatIsTenHoursBehind();

    Whole whole = keep(first);

    assertThat(whole.until()).isEqualTo(NOON);
    assertThat(whole.since()).contains(NOON.plus(Duration.ofHours(10)));
  }

  @Test
  void what_a_shard_that_is_behind_has_not_handed_over_is_not_lost() {
    Instant afterItsMarks = NOON.plus(Duration.ofHours(5));
    events.all =
        Optional.of(List.of(new ItemVersion(new UUID(0, 1), afterItsMarks, Optional.empty())));
    Beat first = beatWithAShardThatIsTenHoursBehind();

    assertThat(beats.look(first).whole()).as("nobody can tell").isEmpty();
  }

  /** Returns the beat whose marks all have come. */
  private Beat beatWithAShardThatIsTenHoursBehind() {
    events.shards = 2;
    Beat first = beats.begin(0).beat(); // only one shard brings it to this feed
    events.isStreaming = false;
    clock.advance(Duration.ofHours(10));
    beats.begin(0);
    for (int mark = 0; mark < 64; mark += 2) {
      events.handOver(mark, mark + 1);
    }
    return first;
  }

  @Test
  void a_beat_has_a_number_above_those_of_marks_and_of_what_is_known() {
    keep();
    keep();
    InMemoryMarkedEvents restored =
        new InMemoryMarkedEvents(feed::note); // of a time before all beats

    assertThat(new FeedBeats(restored, feed, clock).begin(0).beat().number()).isGreaterThan(2);
  }

  @Test
  void where_the_first_mark_is_gone_no_earlier_note_is_of_the_next_beat() {
    keep();
    Beat noted = beats.begin(0).beat();
    InMemoryMarkedEvents withoutTheFirst = new InMemoryMarkedEvents(_ -> {});
    FeedBeats after = new FeedBeats(withoutTheFirst, feed, clock);

    Beat next = after.begin(0).beat();

    assertThat(after.look(next).of(noted)).isPresent();
    assertThat(after.look(next).of(next)).isEmpty();
  }

  @Test
  void who_begins_while_others_begin_takes_the_number_after_theirs() {
    events.beforeBegin =
        () -> {
          events.beforeBegin = () -> {};
          beats.begin(0);
        };

    assertThat(beats.begin(0).beat().number()).isEqualTo(2);
    assertThat(events.last()).map(Beat::number).contains(2L);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void the_feed_of_a_new_stack_holds_all_there_ever_was(int renumbered) {
    FeedEntry lastly = renumbered == 3 ? entry(3, NOON.minusSeconds(1)) : entry(3);
    feed.append(NOON.minusSeconds(9), entry(1), entry(2));
    feed.append(NOON.minusSeconds(1), lastly);
    events.all = Optional.of(List.of(version(1), version(2), lastly.version()));

    assertThat(keep().gap()).isEmpty();
  }

  @Test
  void what_was_stored_after_the_first_beat_needs_no_position_yet() {
    Instant later = NOON.plus(FeedReader.CLOCKS);
    events.all = Optional.of(List.of(new ItemVersion(new UUID(0, 1), later, Optional.empty())));

    assertThat(keep().gap()).isEmpty();
  }

  /** A clock may be ahead, or a write may take long, and end after the marks are written. */
  @ParameterizedTest
  @CsvSource({"59, true", "59, false", "-60, true", "-60, false"})
  void what_has_a_time_near_the_first_beats_is_soon_in_the_feed_or_lost(
      int seconds, boolean isThere) {
    FeedEntry entry =
        new FeedEntry.OfErasure(
            new ItemVersion(new UUID(0, 1), NOON.plusSeconds(seconds), Optional.empty()));
    events.all = Optional.of(List.of(entry.version()));
    Beat first = beats.begin(0).beat();
    assertThat(beats.look(first).whole()).as("nobody can tell").isEmpty();
    if (isThere) {
      feed.append(NOON, entry);
      assertThat(keep(first).gap()).isEmpty();
    } else {
      clock.advance(Duration.ofMinutes(5));
      assertThat(keep().gap()).contains(new Gap(Instant.EPOCH, clock.instant()));
    }
  }

  @Test
  void a_feed_that_is_made_anew_holds_what_is_stored_from_its_first_beat_on() {
    Gap before = new Gap(Instant.EPOCH, NOON);
    feed.append(NOON, entry(1));
    events.all = Optional.of(List.of(version(1), version(2)));
    assertThat(keep().gap()).as("an event has no position").contains(before);
    feed.lose();
    events.all = Optional.empty();
    assertThat(keep().gap()).as("there are more than are read at once").contains(before);

    feed.lose();
    feed.append(NOON, entry(1));
    clock.advance(Duration.ofDays(9));
    assertThat(keep().gap()).contains(new Gap(Instant.EPOCH, clock.instant()));
  }

  @Test
  void the_first_beat_looks_for_events_beyond_the_first_read_of_the_feed() {
    for (int id = 1; id <= 1_001; id++) {
      feed.append(NOON, entry(id));
    }
    events.all = Optional.of(List.of(version(1)));

    assertThat(keep().gap()).isEmpty();
  }

  @Test
  void what_was_known_of_another_feed_is_not_said_of_this_one() {
    feed.append(NOON, entry(1));
    keep();
    Optional<Whole> known = feed.whole();
    feed.lose();
    feed.replace(Optional.empty(), known.orElseThrow());
    assertThat(feed.known()).isEmpty();
    feed.append(NOON, entry(2));
    events.all = Optional.empty();

    assertThat(keep().gap()).contains(new Gap(Instant.EPOCH, NOON));
  }

  @ParameterizedTest
  @CsvSource({"0, false", "82_800_000, false", "82_800_001, true", "864_000_000, true"})
  void a_feed_that_was_not_read_for_23_hours_may_lack_what_was_stored_then(
      long millis, boolean isLost) {
    keep();
    clock.advance(Duration.ofMillis(millis).plusMillis(1));
    Beat beat = beats.begin(0).beat();
    clock.advance(Duration.ofMillis(-1)); // what counts is the time of the look

    Whole whole = keep(beat);

    assertThat(whole.gap())
        .isEqualTo(
            isLost
                ? Optional.of(new Gap(NOON, clock.instant().minus(Duration.ofHours(23))))
                : Optional.empty());
  }

  @Test
  void of_several_losses_the_first_tells_from_when_the_feed_lacks_events() {
    keep();
    clock.advance(Duration.ofDays(2));
    keep();
    clock.advance(Duration.ofHours(5));
    Gap first = new Gap(NOON, NOON.plus(Duration.ofHours(25)));
    assertThat(keep().gap()).as("no further loss").contains(first);
    clock.advance(Duration.ofDays(3));

    assertThat(keep().gap()).contains(new Gap(NOON, clock.instant().minus(Duration.ofHours(23))));
  }

  @Test
  void the_unread_end_of_a_stream_that_is_made_anew_is_lost() {
    keep();
    clock.advance(Duration.ofMinutes(10));
    Beat beat = beats.begin(0).beat();
    clock.advance(Duration.ofMinutes(1));
    events.stream = "another";
    events.handOver(0, 63);
    assertThat(beats.look(beat).of(beat)).as("notes of two streams say nothing").isEmpty();
    events.handOver(63, 64);

    assertThat(keep(beat).gap()).contains(new Gap(NOON, NOON.plus(Duration.ofMinutes(10))));
  }

  @Test
  void a_late_note_counts_back_and_changes_nothing() {
    Beat first = beats.begin(0).beat();
    clock.advance(Duration.ofMinutes(5));
    Whole second = keep();
    feed.note(List.of(new MarkNote(7, first.number(), first.at(), "shard0", "stream")));

    assertThat(beats.look(first).whole()).contains(second);
  }

  @Test
  void what_somebody_else_has_found_out_meanwhile_is_not_replaced() {
    Look look = beats.look(beats.begin(0).beat());
    Whole other = keep();

    assertThat(beats.keep(look)).isFalse();
    assertThat(feed.whole()).contains(other);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // filled from, to, since at its beginning, then since
        "01:00, 09:00, 08:00, -",
        "02:00, 08:00, 08:00, -",
        "03:00, 09:00, 08:00, 03:00",
        "01:00, 07:00, 08:00, 08:00",
        "08:00, 09:00, 08:00, 08:00",
        "09:00, 10:00, 08:00, 08:00",
        "01:00, 09:00, -, 08:00",
        "01:00, 09:00, 07:00, 08:00",
        "01:00, 09:00, 10:00, -",
      })
  void a_fill_gives_back_what_was_lost_from_its_beginning_on(
      String from, String to, @Nullable String before, @Nullable String since) {
    Whole whole = whole(7, NOON, 3, new Gap(at("02:00"), at("08:00")));

    Whole filled =
        whole.filled(at(from), at(to), Optional.ofNullable(before).map(FeedBeatsTest::at));

    assertThat(filled)
        .isEqualTo(whole(7, NOON, 3, since == null ? null : new Gap(at("02:00"), at(since))));
  }

  @Test
  void what_holds_all_there_ever_was_stays_so_after_a_fill() {
    Whole whole = whole(7, NOON, 3, null);

    assertThat(whole.filled(at("01:00"), at("09:00"), Optional.empty())).isEqualTo(whole);
  }

  @Test
  void the_longer_a_beat_waits_the_later_to_look_again() {
    assertThat(beats.pause(NOON)).hasSeconds(1);
    clock.advance(Duration.ofSeconds(20));
    assertThat(beats.pause(NOON)).hasSeconds(11);
    clock.advance(Duration.ofHours(1));
    assertThat(beats.pause(NOON)).hasSeconds(30);
  }

  private static Instant at(String time) {
    return Instant.parse("2026-11-20T" + time + ":00Z");
  }

  private Whole keep() {
    return keep(beats.begin(0).beat());
  }

  private Whole keep(Beat beat) {
    Look look = beats.look(beat);
    assertThat(beats.keep(look)).isTrue();
    return look.of(beat).orElseThrow();
  }

  private static Whole whole(long beat, Instant until, long head, @Nullable Gap gap) {
    return new Whole(
        Optional.of("00c0ffee"), "stream", beat, until, head, Optional.ofNullable(gap));
  }

  private static ItemVersion version(int id) {
    return new ItemVersion(new UUID(0, id), NOON.minusSeconds(61), Optional.empty());
  }

  private static FeedEntry entry(int id) {
    return new FeedEntry.OfErasure(version(id));
  }

  private static FeedEntry entry(int id, Instant renumbered) {
    return new FeedEntry.OfErasure(
        new ItemVersion(version(id).id(), version(id).at(), Optional.of(renumbered)));
  }
}
