package dev.connectorevents.dynamodb.events;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.FeedPosition;
import dev.connectorevents.event.PageRoom;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.Segment;
import dev.connectorevents.feed.StoredEntries;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Reads the entries' items from the table of {@link DynamoEvents}. */
public final class DynamoStoredEntries implements StoredEntries {

  private final ShownEvents events;

  /**
   * @param pause waits for the given time between two reads of the same items
   */
  public DynamoStoredEntries(
      DynamoDbClient dynamoDb, String table, InstantSource clock, Consumer<Duration> pause) {
    this.events = new ShownEvents(new BatchReads(dynamoDb, table, pause), clock);
  }

  @Override
  public Shown show(List<Segment.Placed> entries, EventQuery query, PageRoom room) {
    return events.show(
        entries.stream()
            .map(placed ->
                new ShownEvents.Wanted(
                    placed.entry().version().id(),
                    isStill(placed.entry(), query.brand()),
                    Optional.of(new FeedPosition(placed.position(), placed.at()))))
            .toList(),
        query.hasPayloads(),
        room);
  }

  private static Predicate<Item> isStill(FeedEntry entry, Optional<String> brand) {
    return item ->
        EventItem.itemVersion(item).equals(entry.version())
            // An event may be erased in the millisecond in which it was created.
            && Tombstone.isOne(item) == entry instanceof FeedEntry.OfErasure
            && (brand.isEmpty() || BrandIndex.brand(item).equals(brand));
  }
}
