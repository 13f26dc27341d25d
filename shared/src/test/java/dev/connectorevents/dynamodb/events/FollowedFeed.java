package dev.connectorevents.dynamodb.events;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.Deliveries;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.event.ListEntry;
import dev.connectorevents.event.Meta;
import dev.connectorevents.event.Payload;
import dev.connectorevents.event.RetentionRules;
import dev.connectorevents.event.TestQuery;
import dev.connectorevents.feed.EventFeed;
import dev.connectorevents.feed.FeedCursor;
import dev.connectorevents.feed.FeedPages;
import dev.connectorevents.feed.FeedWindow;
import dev.connectorevents.feed.InMemoryFeed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A feed of its own, with events in the table of all tests of a class. */
final class FollowedFeed {

  static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  /** When the next event is stored, and gets its position. */
  final AdjustableClock clock = new AdjustableClock(NOON + "");

  final InMemoryFeed log = new InMemoryFeed();
  final EventFeed feed;
  private final DynamoDbClient dynamoDb;
  private final String table;

  /**
   * @param reader the client of the list
   */
  FollowedFeed(Stores service, DynamoDbClient reader) {
    dynamoDb = service.dynamoDb();
    table = service.name("EventsTable");
    feed = readBy(reader);
  }

  /** The same feed, read by another client. */
  EventFeed readBy(DynamoDbClient reader) {
    return new FeedPages(log, new DynamoStoredEntries(reader, table, clock, pause -> {}), clock);
  }

  UUID store(String type) {
    return store(UUID.randomUUID(), type, Map.of(), "{}", Duration.ZERO);
  }

  UUID storeOf(String brand, String type) {
    return store(UUID.randomUUID(), type, Map.of("brand_id", brand), "{}", Duration.ZERO);
  }

  UUID storeWithPayload(String type, String payload) {
    return store(UUID.randomUUID(), type, Map.of(), payload, Duration.ZERO);
  }

  /** Stores an event, gives it a position in a segment of its own, and lets a second pass. */
  UUID store(UUID id, String type, Map<String, String> meta, String payload, Duration kept) {
    EventToStore event =
        new EventToStore(
            id,
            new EventType(type),
            Deliveries.FULL,
            new Payload(payload, new Meta(meta)),
            new UUID(0, 7),
            Optional.empty(),
            clock.instant());
    new DynamoEvents(dynamoDb, table, new Random(), RetentionRules.parse("", kept)).store(event);
    log.append(clock.instant(), InMemoryFeed.entry(event));
    clock.advance(Duration.ofSeconds(1));
    return id;
  }

  EventFeed.Outcome.Page page(TestQuery query, Optional<FeedCursor> cursor, int limit) {
    return page(query, Optional.empty(), cursor, limit);
  }

  EventFeed.Outcome.Page page(
      TestQuery query, Optional<EventTypes> scope, Optional<FeedCursor> cursor, int limit) {
    return (EventFeed.Outcome.Page)
        feed.page(query.get(), scope, new FeedWindow(cursor, Optional.empty()), limit);
  }

  /** The positions that all pages of a list show. */
  List<Long> all(TestQuery query, int limit) {
    List<Long> all = new ArrayList<>();
    Optional<FeedCursor> cursor = Optional.empty();
    EventFeed.Outcome.Page page;
    do {
      page = page(query, cursor, limit);
      all.addAll(positions(page));
      cursor = page.next();
    } while (page.hasMore());
    return all;
  }

  static List<Long> positions(EventFeed.Outcome.Page page) {
    return page.entries().stream()
        .map(entry ->
            switch (entry) {
              case ListEntry.OfEvent event -> event.position().orElseThrow().number();
              case ListEntry.OfErasure erasure -> erasure.position().number();
            })
        .toList();
  }
}
