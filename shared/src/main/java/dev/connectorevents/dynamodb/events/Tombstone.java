package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.events.EventAttributes.ERASED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.ERASURE_ID;
import static dev.connectorevents.dynamodb.events.EventAttributes.EXPIRES_AT;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/**
 * The item that an erased event leaves. It says nothing of the event. The feed gives it a position
 * of its own.
 */
public final class Tombstone {

  /**
   * How long the tombstone of an event without a key is kept. Nobody can send such an event again,
   * and after this time no backup has it either.
   */
  private static final Duration WITHOUT_KEY = Duration.ofDays(35);

  private Tombstone() {}

  /** The tombstone for an event. With a key it stays for ever: the key is refused from now on. */
  public static Item of(Item event, UUID erasureId, Instant now) {
    Item tombstone =
        new Item()
            .put("id", event.text("id"))
            .put(ERASED_AT, Timestamp.of(now))
            .put(ERASURE_ID, erasureId);
    if (!EventItem.hasKey(event)) {
      EventItem.expire(tombstone, now.plus(WITHOUT_KEY));
    }
    return tombstone;
  }

  /** The same tombstone, written at another time. */
  public static Item at(Item tombstone, Instant now) {
    Item other =
        new Item()
            .put("id", tombstone.text("id"))
            .put(ERASED_AT, Timestamp.of(now))
            .copy(ERASURE_ID, tombstone);
    if (tombstone.has(EXPIRES_AT)) {
      EventItem.expire(other, now.plus(WITHOUT_KEY));
    }
    return other;
  }

  public static boolean isOne(Item item) {
    return EventItem.erasedAt(item).isPresent();
  }

  /** A read of what tells whether an item is a tombstone. */
  public static KeysAndAttributes.Builder presence() {
    return KeysAndAttributes.builder().projectionExpression("id, " + ERASED_AT);
  }
}
