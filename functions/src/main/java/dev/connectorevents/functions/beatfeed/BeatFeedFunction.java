package dev.connectorevents.functions.beatfeed;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.feed.Whole;
import dev.connectorevents.functions.lambda.LogLine;
import dev.connectorevents.functions.resilience.RequestDeadline;
import dev.connectorevents.functions.wiring.Wiring;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;

/**
 * The Lambda function for {@link BeatFeed}: a schedule calls it. Alarms rest on its log line. It
 * may be called twice, or late: a beat has the time of its own clock.
 */
public final class BeatFeedFunction implements RequestStreamHandler {

  private final BeatFeed beatFeed;
  private final InstantSource clock;

  public BeatFeedFunction() {
    this(System.getenv());
  }

  public BeatFeedFunction(Map<String, String> environment) {
    this(new Wiring(environment));
  }

  /** Beats with parts of this wiring. */
  public BeatFeedFunction(Wiring wiring) {
    this(new BeatFeed(wiring.feedBeats(), wiring.clock(), wiring.waiting()), wiring.clock());
  }

  BeatFeedFunction(BeatFeed beatFeed, InstantSource clock) {
    this.beatFeed = beatFeed;
    this.clock = clock;
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context) {
    Map<String, Object> line = LogLine.begin(context);
    try {
      Duration timeLeft = Duration.ofMillis(context.getRemainingTimeInMillis());
      log(RequestDeadline.within(timeLeft, beatFeed::beat), line);
    } catch (RuntimeException e) {
      line.put("error", LogLine.error(e));
      throw e;
    } finally {
      context.getLogger().log(LogLine.of(line));
    }
  }

  private void log(BeatFeed.Beaten beaten, Map<String, Object> line) {
    line.put("beat", beaten.beat().number());
    line.put("marks", beaten.beat().marks());
    beaten.whole().ifPresent(whole -> log(whole, line));
  }

  private void log(Whole whole, Map<String, Object> line) {
    whole.feed().ifPresent(feed -> line.put("feed", feed));
    line.put("head", whole.head());
    line.put("whole_until", Timestamp.of(whole.until()));
    line.put("feed_behind_seconds", Duration.between(whole.until(), clock.instant()).toSeconds());
    line.put("feed_lost", whole.gap().isPresent() ? 1 : 0);
    whole
        .gap()
        .ifPresent(gap -> {
          line.put("lost_from", Timestamp.of(gap.from()));
          line.put("whole_since", Timestamp.of(gap.to()));
        });
  }
}
