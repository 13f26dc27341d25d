package dev.connectorevents.functions.operators.restore;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.AdjustableClock;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.feed.FeedBeats;
import dev.connectorevents.feed.InMemoryFeed;
import dev.connectorevents.feed.InMemoryMarkedEvents;
import dev.connectorevents.feed.Whole;
import dev.connectorevents.functions.InMemoryLedger;
import dev.connectorevents.functions.OperatorCalls;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/** Invokes the function {@code restoreevents} on events and a feed in memory, for fills. */
final class FillingOperator {

  /** The most entries of the feed that a call compares with. */
  static final int MOST_KNOWN = 20;

  final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
  final InMemoryFeed feed = new InMemoryFeed();
  final InMemoryRenumberedEvents stored = new InMemoryRenumberedEvents(clock);

  /** The marks beside what is stored. */
  final InMemoryMarkedEvents events = new InMemoryMarkedEvents(feed::note);

  final OperatorCalls calls =
      new OperatorCalls(
          RestoreEventsFunction.handler(
              new RestoreEvents(new UncopiedTable(""), new InMemoryLedger(), clock),
              new FillFeed(stored, feed, new FeedBeats(events, feed, clock), clock, MOST_KNOWN),
              new RunSteps(
                  new InMemoryLedger(), new EventIds(clock, new Random(2)), new Random(3), clock)));

  /** The first call that searches, after that which has begun a beat. */
  JsonNode fill(String request) {
    return calls.next(request, calls.call(request));
  }

  /** Finds out what the feed holds, as the schedule does. */
  Optional<Whole> beat() {
    FeedBeats beats = new FeedBeats(events, feed, clock);
    beats.keep(beats.look(beats.begin(0).beat()));
    return feed.whole();
  }

  /** The stream loses all that it has for a day: what was stored since the last beat. */
  void lose() {
    clock.advance(Duration.ofHours(25));
  }
}
