package dev.connectorevents.event;

import java.time.Instant;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The provider's payload, byte for byte, with its {@code _meta}.
 *
 * @param text a JSON object that ends in {@code _meta} if the service appended it, and is otherwise
 *     what was sent
 * @param meta what it brought
 */
public record Payload(String text, Meta meta) {

  /**
   * What is stored of a payload that was sent: the same text, and where it brought no {@code
   * _meta}, one in front of its closing brace.
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
    String meta = Meta.generated(type, requestId, receivedAt);
    return new Payload(open + separator + "\"_meta\":" + meta + "}", Meta.NONE);
  }
}
