package dev.connectorevents.aws;

import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Fingerprint;
import dev.connectorevents.event.Submission;
import dev.connectorevents.event.WebhookEvent;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.Function;

/** An event as an item of the events table, and back. */
final class EventItem {

  private EventItem() {}

  /**
   * The item of an event.
   *
   * @param nonce of the write, by which it knows its own item when it meets it
   */
  static Item of(Submission submission, byte[] nonce) {
    WebhookEvent event = submission.event();
    Item item =
        new Item()
            .put("id", event.id())
            .put("event_type", event.type().value())
            .put("connector_installation_id", event.connectorInstallationId())
            .put("status", event.status())
            .put("response", event.response())
            .put("attempts", event.attempts())
            .put("sent_at", event.sentAt())
            .put("next_retry_at", event.nextRetryAt())
            .put("created_at", event.createdAt())
            .put("user_id", submission.userId())
            .put("fingerprint", submission.fingerprint().value())
            .put("nonce", nonce)
            .put("payload", submission.payload().text());
    IndexKeys.put(submission, item);
    return item;
  }

  static Fingerprint fingerprint(Item item) {
    return new Fingerprint(item.text("fingerprint"));
  }

  static boolean isWrittenWith(byte[] nonce, Item item) {
    return Arrays.equals(item.bytes("nonce"), nonce);
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
}
