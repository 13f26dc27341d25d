package dev.connectorevents.functions.operators.restore;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.AdjustableClock;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.feed.FeedAppends;
import dev.connectorevents.feed.FeedMarks;
import dev.connectorevents.feed.InMemoryFeed;
import dev.connectorevents.functions.InMemoryLedger;
import dev.connectorevents.functions.OperatorCalls;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

/** Invokes the function {@code restoreevents} on events and a feed in memory, for fills. */
final class FillingOperator {

  /** The most entries of the feed that a call compares with. */
  static final int MOST_KNOWN = 20;

  final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
  final InMemoryFeed feed = new InMemoryFeed();
  final InMemoryRenumberedEvents stored = new InMemoryRenumberedEvents(clock);

  /** Whether the stream hands over what is written. */
  boolean isStreaming = true;

  final OperatorCalls calls =
      new OperatorCalls(
          RestoreEventsFunction.handler(
              new RestoreEvents(new UncopiedTable(""), new InMemoryLedger(), clock),
              new FillFeed(
                  stored,
                  feed,
                  new FeedMarks(this::mark, feed, clock),
                  new EventIds(clock, new Random(1)),
                  clock,
                  MOST_KNOWN),
              new RunSteps(
                  new InMemoryLedger(), new EventIds(clock, new Random(2)), new Random(3), clock)));

  private void mark(UUID run, int first, int last, Instant expiresAt) {
    IntStream.rangeClosed(first, last)
        .filter(_ -> isStreaming)
        .forEach(number -> feed.note("shard", List.of(new FeedAppends.Mark(run, number))));
  }

  /** The first call that searches, after that which has written the marks. */
  JsonNode fill(String request) {
    return calls.next(request, calls.call(request));
  }
}
