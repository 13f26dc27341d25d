package dev.connectorevents.aws;

import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Fingerprint;
import dev.connectorevents.event.Submission;
import dev.connectorevents.event.WebhookEvent;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.Function;

/** An event, but for its payload, as an item of the events table, and back. */
final class EventItem {

  /** Always three digits of fraction, so that the indexes' sort keys sort as time does. */
  private static final DateTimeFormatter SORTABLE =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  private EventItem() {}

  /**
   * The item of an event.
   *
   * @param nonce of the write, by which it knows its own item when it meets it
   */
  static Item of(Submission submission, byte[] nonce) {
    WebhookEvent event = submission.event();
    return new Item()
        .put("id", event.id())
        .put("event_type", event.type().value())
        .put("connector_installation_id", event.connectorInstallationId())
        .put("status", event.status())
        .put("response", event.response())
        .put("attempts", event.attempts())
        .put("sent_at", event.sentAt())
        .put("next_retry_at", event.nextRetryAt())
        .put("created_at", SORTABLE.format(event.createdAt()))
        .put("user_id", bytes(submission.userId()))
        .put("event_type_key", IndexKeys.eventType(submission))
        .put("brand_key", IndexKeys.brand(submission))
        .put("request", concat(submission.fingerprint().bytes(), nonce));
  }

  /** Of the request that the item was written for. */
  static Fingerprint fingerprint(Item item) {
    return Fingerprint.ofBytes(Arrays.copyOf(item.bytes("request"), Fingerprint.BYTES));
  }

  /** Whether an item was written by the very write that has that nonce. */
  static boolean isWrittenBy(Submission submission, byte[] nonce, Item item) {
    return Arrays.equals(item.bytes("request"), concat(submission.fingerprint().bytes(), nonce));
  }

  static WebhookEvent event(Item item) {
    return new WebhookEvent(
        UUID.fromString(item.text("id")),
        new EventType(item.text("event_type")),
        item.optional("connector_installation_id", Long::valueOf),
        item.optional("status", Function.identity()),
        item.optional("response", Function.identity()),
        item.optional("attempts", Integer::valueOf),
        item.optional("sent_at", Instant::parse),
        item.optional("next_retry_at", Instant::parse),
        Instant.parse(item.text("created_at")));
  }

  /** 16 bytes instead of 36 characters: what is written is the bill. */
  private static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  private static byte[] concat(byte[] first, byte[] second) {
    return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
  }
}
