package dev.connectorevents.dynamodb.events;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.WebhookEvent;
import java.util.List;
import java.util.Optional;

/**
 * An event on its way to the table. Every try to write it has the same items.
 *
 * @param items the event's item, and those that continue its payload
 */
public record EventWrite(WebhookEvent event, List<Item> items, Optional<WriteMark> mark) {

  public EventWrite {
    items = List.copyOf(items);
  }

  boolean hasOneItem() {
    return items.size() == 1;
  }

  /** In bytes, as DynamoDB counts. */
  long size() {
    return items.stream().mapToLong(ItemSize::of).sum();
  }
}
