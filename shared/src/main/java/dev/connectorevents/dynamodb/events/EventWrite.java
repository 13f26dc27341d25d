package dev.connectorevents.dynamodb.events;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.event.WebhookEvent;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * An event on its way to the table.
 *
 * @param onlyItem the event's item, if it needs only one
 * @param put stores the event by itself with a conditional write, which also recognizes that an
 *     earlier write of this very item has succeeded
 */
record EventWrite(WebhookEvent event, Optional<Item> onlyItem, Supplier<StoreOutcome.Known> put) {}
