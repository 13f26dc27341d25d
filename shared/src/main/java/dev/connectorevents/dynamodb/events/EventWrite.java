package dev.connectorevents.dynamodb.events;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.event.WebhookEvent;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * An event on its way to the table, prepared but for its time.
 *
 * @param onlyItem the event's item, if it needs only one
 * @param begin sets the event's time, in its items too: once, right before the first try
 */
record EventWrite(Optional<Item> onlyItem, Function<WriteTimes.WriteTime, Begun> begin) {

  /**
   * An event with its time. Every try to write it has the same items.
   *
   * @param put stores the event by itself with a conditional write, which also recognizes that an
   *     earlier write of this very item has succeeded
   */
  record Begun(WebhookEvent event, Supplier<StoreOutcome.Known> put) {}
}
