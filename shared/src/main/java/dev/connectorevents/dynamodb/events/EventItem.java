package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.events.EventAttributes.BRAND_KEY;
import static dev.connectorevents.dynamodb.events.EventAttributes.CREATED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.ERASED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.EVENT_TYPE;
import static dev.connectorevents.dynamodb.events.EventAttributes.EXPIRES_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.PARTS;
import static dev.connectorevents.dynamodb.events.EventAttributes.RENUMBERED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.REQUEST;
import static dev.connectorevents.dynamodb.events.EventAttributes.USER_ID;

import dev.connectorevents.dynamodb.Condition;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.Delivery;
import dev.connectorevents.event.EventPlace;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.event.WebhookEvent;
import dev.connectorevents.feed.ItemVersion;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/** Converts an event without its payload to an item of the events table, and back. */
public final class EventItem {

  /** The attributes that tell an event from another one under the same id. */
  public static final Set<String> VERSION = Set.of(CREATED_AT, PARTS, REQUEST);

  private EventItem() {}

  /** A read of what a list shows of an event, and of what tells whether it is still there. */
  static KeysAndAttributes.Builder head() {
    List<String> head =
        new ArrayList<>(
            List.of(
                "id",
                USER_ID,
                EVENT_TYPE,
                BRAND_KEY,
                CREATED_AT,
                EXPIRES_AT,
                ERASED_AT,
                RENUMBERED_AT));
    Map<String, String> placeholders = new HashMap<>(); // some names are reserved, as status is
    for (String name : Delivery.NAMES) {
      if (!name.equals(Delivery.RESPONSE)) {
        head.add("#" + name);
        placeholders.put("#" + name, name);
      }
    }
    return KeysAndAttributes.builder()
        .projectionExpression(String.join(", ", head))
        .expressionAttributeNames(placeholders);
  }

  /**
   * A read of what tells whether an id is still taken. A tombstone takes it like an event. DynamoDB
   * bills the whole item.
   */
  static KeysAndAttributes.Builder presence() {
    return KeysAndAttributes.builder().projectionExpression("id, " + EXPIRES_AT);
  }

  /**
   * A read of what tells an event from another one under the same id, finds its parts, tells whose
   * it is, and what its tombstone keeps.
   */
  public static KeysAndAttributes.Builder version() {
    return KeysAndAttributes.builder()
        .projectionExpression(
            String.join(
                ", ",
                "id",
                USER_ID,
                EVENT_TYPE,
                BRAND_KEY,
                "#created_at",
                "#parts",
                "#request",
                EXPIRES_AT,
                ERASED_AT))
        .expressionAttributeNames(Condition.placeholders(VERSION));
  }

  /**
   * The item of an event, without its payload.
   *
   * @param lane of the brand's index, below {@link BrandIndex#LANES}
   * @param kept the event's retention; empty to keep it for ever
   */
  static Item of(
      EventToStore toStore, Optional<WriteMark> mark, int lane, Optional<Duration> kept) {
    Item item =
        new Item()
            .put("id", toStore.id())
            .put(USER_ID, bytes(toStore.userId()))
            .put(EVENT_TYPE, toStore.type().value())
            .put(BRAND_KEY, BrandIndex.key(toStore, lane))
            .put(CREATED_AT, Timestamp.of(toStore.createdAt()));
    mark.ifPresent(present -> item.put(REQUEST, present.bytes()));
    toStore.delivery().forEach(item::put);
    kept.ifPresent(time -> expire(item, toStore.createdAt().plus(time)));
    return item;
  }

  /** Sets the time to live. DynamoDB deletes the item within a few days after that time. */
  public static void expire(Item item, Instant time) {
    item.put(EXPIRES_AT, time.getEpochSecond());
  }

  /** The mark of an item whose event has an {@code Idempotency-Key}. */
  static WriteMark mark(Item item) {
    return WriteMark.ofBytes(item.bytes(REQUEST));
  }

  /** Whether the event has an {@code Idempotency-Key}. */
  static boolean hasKey(Item item) {
    return item.has(REQUEST);
  }

  /** When the event was erased; empty if it was not. A tombstone has no event to read. */
  static Optional<Instant> erasedAt(Item item) {
    return Optional.ofNullable(item.optional(ERASED_AT, Instant::parse));
  }

  static WebhookEvent event(Item item) {
    return new WebhookEvent(
        UUID.fromString(item.text("id")), type(item), Delivery.of(item::optional), createdAt(item));
  }

  /** When an event was created. A tombstone has no such time. */
  public static Instant createdAt(Item item) {
    return Instant.parse(item.text(CREATED_AT));
  }

  /** What tells this event or tombstone from others under its id. */
  public static ItemVersion itemVersion(Item item) {
    return new ItemVersion(
        UUID.fromString(item.text("id")),
        erasedAt(item).orElseGet(() -> createdAt(item)),
        Optional.ofNullable(item.optional(RENUMBERED_AT, Instant::parse)));
  }

  /** Whether it is the brand's event that was created then, and no tombstone. */
  static boolean isEventOf(Item item, EventPlace place, String brand) {
    return erasedAt(item).isEmpty()
        && createdAt(item).equals(place.createdAt())
        && BrandIndex.brand(item).equals(Optional.of(brand));
  }

  public static EventType type(Item item) {
    return new EventType(item.text(EVENT_TYPE));
  }

  /** The user whose connector sent the event. */
  public static UUID userId(Item item) {
    ByteBuffer bytes = ByteBuffer.wrap(item.bytes(USER_ID));
    return new UUID(bytes.getLong(), bytes.getLong());
  }

  /** Whether the event's retention has passed. DynamoDB deletes the item only days later. */
  public static boolean isExpired(Item item, Instant now) {
    return item.number(EXPIRES_AT, Long.MAX_VALUE) <= now.getEpochSecond();
  }

  /** 16 bytes instead of 36 characters: DynamoDB bills the bytes written. */
  static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }
}
