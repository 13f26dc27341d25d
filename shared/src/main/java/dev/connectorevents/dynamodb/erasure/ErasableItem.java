package dev.connectorevents.dynamodb.erasure;

import static dev.connectorevents.dynamodb.events.EventAttributes.PAYLOAD;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.events.BrandIndex;
import dev.connectorevents.dynamodb.events.EventItem;
import dev.connectorevents.dynamodb.events.Tombstone;
import dev.connectorevents.erasure.ErasableEvent;
import dev.connectorevents.event.Delivery;
import dev.connectorevents.event.EventType;
import java.time.Instant;
import java.util.HashMap;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event that an erasure may take.
 *
 * @param item the event's first item, or the attributes of it that tell it from another event
 */
record ErasableItem(Item item) implements ErasableEvent {

  /** Empty if there is no item, or a tombstone. */
  static Optional<ErasableEvent> of(@Nullable Item item) {
    return Optional.ofNullable(item).filter(it -> !Tombstone.isOne(it)).map(ErasableItem::new);
  }

  @Override
  public UUID id() {
    return UUID.fromString(item.text("id"));
  }

  @Override
  public EventType type() {
    return EventItem.type(item);
  }

  @Override
  public Instant createdAt() {
    return EventItem.createdAt(item);
  }

  @Override
  public UUID userId() {
    return EventItem.userId(item);
  }

  @Override
  public Optional<String> brand() {
    return BrandIndex.brand(item);
  }

  @Override
  public ErasableEvent withoutPayload() {
    Item rest = new Item(new HashMap<>(item.attributes()));
    rest.attributes().keySet().removeAll(Set.of(PAYLOAD, Delivery.RESPONSE));
    return new ErasableItem(rest);
  }
}
