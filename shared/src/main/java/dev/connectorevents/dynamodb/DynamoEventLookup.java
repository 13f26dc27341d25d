package dev.connectorevents.dynamodb;

import static dev.connectorevents.dynamodb.Calls.call;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.event.EventLookup;
import dev.connectorevents.event.EventPresence;
import dev.connectorevents.event.StoredEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/** Reads events from the table of {@link DynamoEvents}. */
public final class DynamoEventLookup implements EventLookup, EventPresence {

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final InstantSource clock;
  private final BatchReads items;

  /**
   * @param pause waits for the given time between two reads of the same items
   */
  public DynamoEventLookup(
      DynamoDbClient dynamoDb, String table, InstantSource clock, Consumer<Duration> pause) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.clock = clock;
    this.items = new BatchReads(dynamoDb, table, pause);
  }

  @Override
  public Optional<StoredEvent> find(UUID id) {
    GetItemResponse read =
        call(
            "GetItem on events",
            () ->
                dynamoDb.getItem(get ->
                    get.tableName(table)
                        .key(Map.of("id", fromS(id.toString())))
                        .consistentRead(true)));
    return Optional.of(new Item(read.item()))
        .filter(item -> read.hasItem() && !EventItem.isExpired(item, clock.instant()))
        .map(this::event);
  }

  @Override
  public Set<UUID> stored(Set<UUID> ids) {
    Instant now = clock.instant();
    return items
        .get(ids.stream().map(UUID::toString).toList(), EventItem.presence())
        .values()
        .stream()
        .filter(item -> !EventItem.isExpired(item, now))
        .map(item -> UUID.fromString(item.text("id")))
        .collect(Collectors.toSet());
  }

  private StoredEvent event(Item item) {
    return new StoredEvent(
        EventItem.event(item),
        EventItem.userId(item),
        StoredPayload.text(item, parts(StoredPayload.partIds(item))));
  }

  /** In their order. */
  private List<Item> parts(List<String> ids) {
    Map<String, Item> found = items.get(ids, KeysAndAttributes.builder());
    return ids.stream()
        .map(id -> Optional.ofNullable(found.get(id)))
        .map(part ->
            part.orElseThrow(() ->
                new DependencyUnavailableException("a part of an event's payload is missing")))
        .toList();
  }
}
