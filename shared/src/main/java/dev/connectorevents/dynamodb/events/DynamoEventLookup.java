package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.Calls.call;
import static dev.connectorevents.dynamodb.events.EventAttributes.ERASED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.EVENT_TYPE;
import static dev.connectorevents.dynamodb.events.EventAttributes.EXPIRES_AT;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.EventLookup;
import dev.connectorevents.event.EventPresence;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.LookupOutcome;
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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/** Reads events from the table of {@link DynamoEvents}. */
public final class DynamoEventLookup implements EventLookup, EventPresence {

  /** What tells whether a reader may read an event. */
  private static final String JUDGED = String.join(", ", "id", EVENT_TYPE, EXPIRES_AT, ERASED_AT);

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

  /**
   * For a reader with a scope, first reads only what tells whether it may read the event. A head of
   * 400 KB takes milliseconds to arrive, which would tell that the event exists.
   */
  @Override
  public LookupOutcome find(UUID id, Optional<Predicate<EventType>> isReadable) {
    return isReadable
        .flatMap(types -> unreadable(read(id, get -> get.projectionExpression(JUDGED)), types))
        .orElseGet(() -> whole(id, isReadable.orElse(type -> true)));
  }

  /**
   * An erasure or DynamoDB may delete the event between the reads of its head and of its parts. So
   * if a part is missing, reads the head again.
   */
  private LookupOutcome whole(UUID id, Predicate<EventType> isReadable) {
    Item head = head(id);
    while (true) {
      Optional<LookupOutcome> outcome = outcome(head, isReadable);
      if (outcome.isPresent()) {
        return outcome.get();
      }
      Item again = head(id);
      if (again.attributes().equals(head.attributes())) {
        throw new DependencyUnavailableException("a part of an event's payload is missing");
      }
      head = again;
    }
  }

  /** The first item of an event; without attributes if there is none. */
  private Item head(UUID id) {
    return read(id, get -> {});
  }

  private Item read(UUID id, Consumer<GetItemRequest.Builder> attributes) {
    GetItemResponse read =
        call(
            "GetItem on events",
            () ->
                dynamoDb.getItem(get ->
                    get.tableName(table)
                        .key(Map.of("id", fromS(id.toString())))
                        .consistentRead(true)
                        .applyMutation(attributes)));
    return new Item(read.item());
  }

  /** Empty if a part of the payload is missing. */
  private Optional<LookupOutcome> outcome(Item head, Predicate<EventType> isReadable) {
    return unreadable(head, isReadable)
        .or(() -> parts(head).map(parts -> new LookupOutcome.Found(event(head, parts))));
  }

  /** The outcome, if it is known without the payload. */
  private Optional<LookupOutcome> unreadable(Item head, Predicate<EventType> isReadable) {
    if (head.attributes().isEmpty() || EventItem.isExpired(head, clock.instant())) {
      return Optional.of(new LookupOutcome.Absent());
    }
    Optional<Instant> erasedAt = EventItem.erasedAt(head);
    if (erasedAt.isPresent()) {
      return Optional.of(new LookupOutcome.Erased(erasedAt.get()));
    }
    return isReadable.test(EventItem.type(head))
        ? Optional.empty()
        : Optional.of(new LookupOutcome.Absent());
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

  private static StoredEvent event(Item head, List<Item> parts) {
    return new StoredEvent(
        EventItem.event(head), EventItem.userId(head), StoredPayload.text(head, parts));
  }

  /** The further items of the payload, in their order. Empty if one is missing. */
  private Optional<List<Item>> parts(Item head) {
    List<String> ids = StoredPayload.partIds(head);
    Map<String, Item> found = items.get(ids, KeysAndAttributes.builder());
    List<Item> parts = ids.stream().flatMap(id -> Stream.ofNullable(found.get(id))).toList();
    return Optional.of(parts).filter(all -> all.size() == ids.size());
  }
}
