package dev.connectorevents.functions.beatfeed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.Promise;
import dev.connectorevents.feed.Beat;
import dev.connectorevents.feed.FeedBeats;
import dev.connectorevents.feed.InMemoryFeed;
import dev.connectorevents.feed.InMemoryMarkedEvents;
import dev.connectorevents.feed.Whole;
import dev.connectorevents.functions.RecordingContext;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BeatFeedFunctionTest {

  private final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
  private final InMemoryFeed feed = new InMemoryFeed();
  private final InMemoryMarkedEvents events = new InMemoryMarkedEvents(feed::note);
  private final RecordingContext context = new RecordingContext();

  /** Runs while the function waits. */
  private Runnable meanwhile = () -> {};

  private final BeatFeedFunction function =
      new BeatFeedFunction(
          new BeatFeed(
              new FeedBeats(events, feed, clock),
              clock,
              pause -> {
                clock.advance(pause);
                meanwhile.run();
              }),
          clock);

  private String call() {
    function.handleRequest(
        new ByteArrayInputStream(new byte[0]), new ByteArrayOutputStream(), context);
    return context.lines().getLast();
  }

  @Test
  @Promise("one line of each beat")
  void a_beat_is_kept_when_its_marks_are_noted_and_logged() {
    assertThat(call())
        .isEqualTo(
            "{\"request_id\":\"00000000-0000-4000-8000-000000000000\",\"function_name\":\"test\","
                + "\"beat\":1,\"marks\":64,\"head\":0,\"whole_until\":\"2026-11-20T12:00:00.000Z\","
                + "\"feed_behind_seconds\":1,\"feed_lost\":0}\n");
    assertThat(feed.whole()).map(Whole::beat).contains(1L);

    clock.advance(Duration.ofDays(2));
    assertThat(call())
        .contains(
            "\"feed_behind_seconds\":1,\"feed_lost\":1,"
                + "\"lost_from\":\"2026-11-20T12:00:00.000Z\","
                + "\"whole_since\":\"2026-11-21T13:00:02.000Z\"");
  }

  @Test
  void a_feed_that_stands_is_looked_at_for_twenty_seconds_and_then_is_behind() {
    call();
    events.isStreaming = false;
    clock.advance(Duration.ofMinutes(5));

    assertThat(call())
        .contains("\"whole_until\":\"2026-11-20T12:00:00.000Z\",\"feed_behind_seconds\":321");
    assertThat(clock.instant()).isEqualTo("2026-11-20T12:05:21Z");
  }

  @Test
  void a_feed_of_which_nobody_knows_anything_has_no_figure() {
    events.isStreaming = false;

    assertThat(call()).contains("\"beat\":1").doesNotContain("whole", "feed_");
    assertThat(feed.whole()).isEmpty();
  }

  @Test
  void what_an_earlier_beat_tells_is_kept_though_its_own_is_not_noted() {
    events.isStreaming = false;
    call();
    events.handOver(0, 64);
    clock.advance(Duration.ofMinutes(5));

    assertThat(call()).contains("\"whole_until\":\"2026-11-20T12:00:00.000Z\"");
    assertThat(feed.whole()).map(Whole::beat).contains(1L);
  }

  @Test
  void a_shard_with_few_marks_gets_more_when_a_second_beat_says_the_same() {
    events.shards = 5;

    assertThat(call()).contains("\"beat\":3,\"marks\":86,", "\"whole_until\"");
    assertThat(events.last()).map(Beat::marks).contains(86);
  }

  @Test
  void a_shard_that_ended_amid_a_beat_needs_no_more_marks() {
    events.shards = 5;
    meanwhile = () -> events.shards = 1;

    assertThat(call()).contains("\"beat\":2,\"marks\":64,", "\"whole_until\"");
  }

  @Test
  void of_two_beats_at_once_each_keeps_what_is_later() {
    meanwhile =
        () -> {
          meanwhile = () -> {};
          call();
        };

    assertThat(call()).contains("\"beat\":1");
    assertThat(feed.whole()).map(Whole::beat).contains(2L);
  }

  @Test
  void a_beat_that_fails_says_why_and_fails() {
    feed.beforeNotes =
        () -> {
          throw new DependencyUnavailableException("the feed is away");
        };

    assertThatExceptionOfType(DependencyUnavailableException.class).isThrownBy(this::call);
    assertThat(context.lines().getLast()).contains("\"error\":", "the feed is away");
    assertThat(feed.whole()).isEqualTo(Optional.empty());
  }
}
