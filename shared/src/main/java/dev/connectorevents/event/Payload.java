package dev.connectorevents.event;

import java.time.Instant;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * A payload as it is stored: the provider's text byte for byte, and always with a {@code _meta}.
 *
 * @param text the JSON object that was sent, with {@code _meta} appended if it had none
 * @param meta its {@code _meta}
 */
public record Payload(String text, Meta meta) {

  /**
   * Keeps the sent text. If it has no {@code _meta}, inserts one before the closing brace.
   *
   * @param requestIds makes the {@code request_id} of an inserted {@code _meta}
   */
  public static Payload of(
      SentPayload sent, EventType type, Supplier<UUID> requestIds, Instant receivedAt) {
    return sent.sentMeta()
        .map(member -> new Payload(sent.text(), member.meta()))
        .orElseGet(() -> withGeneratedMeta(sent, type, requestIds.get(), receivedAt));
  }

  private static Payload withGeneratedMeta(
      SentPayload sent, EventType type, UUID requestId, Instant receivedAt) {
    String open = sent.text().substring(0, sent.text().length() - 1);
    String separator = sent.isEmpty() ? "" : ",";
    Meta meta = Meta.generated(type, requestId, receivedAt);
    // As in Meta: an expression with + would load a class of its own.
    return new Payload(
        String.join("", open, separator, "\"_meta\":", meta.generatedText(), "}"), meta);
  }
}
