package dev.connectorevents.dynamodb;

import dev.connectorevents.event.Delivery;
import dev.connectorevents.event.Submission;
import dev.connectorevents.event.WebhookEvent;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/** Converts an event without its payload to an item of the events table, and back. */
final class EventItem {

  /** The table's attribute for the time to live, in seconds since the epoch. */
  static final String EXPIRES_AT = "expires_at";

  /**
   * Always writes three digits of fraction: so the indexes' sort keys, which are text, sort by
   * time.
   */
  private static final DateTimeFormatter SORTABLE =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  /** What a list shows of an event, and what tells whether it is still there. */
  private static final String HEAD =
      "id, event_type_key, connector_installation_id, #status, attempts, sent_at, next_retry_at,"
          + " created_at, user_id, "
          + EXPIRES_AT;

  private EventItem() {}

  /** A read of what a list shows: all but the provider's response and the payload. */
  static KeysAndAttributes.Builder head() {
    return KeysAndAttributes.builder()
        .projectionExpression(HEAD)
        .expressionAttributeNames(Map.of("#status", "status")); // a reserved word
  }

  /**
   * @param shard of the indexes' partitions, below {@link IndexKeys#SHARDS}
   */
  static Item of(Submission submission, Optional<WriteMark> mark, int shard) {
    WebhookEvent event = submission.event();
    Item item = new Item();
    mark.ifPresent(present -> item.put("request", present.bytes()));
    event.delivery().forEach(item::put);
    return item.put("id", event.id())
        .put("created_at", sortable(event.createdAt()))
        .put("user_id", bytes(submission.userId()))
        .put(IndexKeys.EVENT_TYPE_KEY, IndexKeys.eventType(submission, shard))
        .put(IndexKeys.BRAND_KEY, IndexKeys.brand(submission, shard));
  }

  /** Sets the time to live. DynamoDB deletes the item within a few days after that time. */
  static void expire(Item item, Instant time) {
    item.put(EXPIRES_AT, time.getEpochSecond());
  }

  /** The mark of an item whose event has an {@code Idempotency-Key}. */
  static WriteMark mark(Item item) {
    return WriteMark.ofBytes(item.bytes("request"));
  }

  static WebhookEvent event(Item item) {
    return new WebhookEvent(
        UUID.fromString(item.text("id")),
        IndexKeys.eventType(item.text(IndexKeys.EVENT_TYPE_KEY)),
        Delivery.of(item::optional),
        Instant.parse(item.text("created_at")));
  }

  /** A time as the sort key of the indexes has it. */
  static String sortable(Instant time) {
    return SORTABLE.format(time);
  }

  /** The user whose connector sent the event. */
  static UUID userId(Item item) {
    ByteBuffer bytes = ByteBuffer.wrap(item.bytes("user_id"));
    return new UUID(bytes.getLong(), bytes.getLong());
  }

  /** Whether the event's retention has passed. DynamoDB deletes the item only days later. */
  static boolean isExpired(Item item, Instant now) {
    return item.number(EXPIRES_AT, Long.MAX_VALUE) <= now.getEpochSecond();
  }

  /** 16 bytes instead of 36 characters: DynamoDB bills the bytes written. */
  private static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }
}
