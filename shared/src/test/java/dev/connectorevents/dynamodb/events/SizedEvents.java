package dev.connectorevents.dynamodb.events;

import static java.util.stream.Collectors.toCollection;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.Deliveries;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Meta;
import dev.connectorevents.event.Payload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

/** Large events whose items have a size that a test chooses, to the byte. */
public final class SizedEvents {

  private static final int PARTS = 10;

  private SizedEvents() {}

  /** An event of eleven items. Nobody can read its payload. */
  public static EventWrite write(UUID id, long size) {
    EventToStore toStore =
        new EventToStore(
            id,
            new EventType("a.b"),
            Deliveries.FULL,
            new Payload("{}", new Meta(Map.of())),
            UUID.randomUUID(),
            Optional.empty(),
            Instant.parse("2026-11-20T12:00:00.123Z"));
    Item head = EventItem.of(toStore, Optional.empty(), 0, Optional.empty()).put("parts", PARTS);
    List<Item> items =
        IntStream.rangeClosed(1, PARTS)
            .mapToObj(part -> new Item().put("id", id + "#" + part))
            .collect(toCollection(ArrayList::new));
    items.addFirst(head);
    long left = size;
    for (Item item : items) {
      left -= ItemSize.of(item) + ItemSize.of("payload", 0);
    }
    for (Item item : items) {
      int bytes = (int) Math.min(left, ItemSize.LIMIT - ItemSize.of(item) - 50);
      item.put("payload", new byte[bytes]);
      left -= bytes;
    }
    if (left > 0) {
      throw new IllegalArgumentException("too large for " + items.size() + " items");
    }
    return new EventWrite(toStore.event(), items, Optional.empty());
  }
}
