package dev.connectorevents.event;

import java.time.Instant;
import java.util.UUID;

/**
 * The provider's payload, byte for byte, with its {@code _meta}.
 *
 * @param text a JSON object that ends in {@code _meta} if the service appended it, and is otherwise
 *     what was sent
 * @param meta what it brought
 */
public record Payload(String text, Meta meta) {

  /** A payload that brought its own {@code _meta}. */
  public static Payload asSent(Value.Cut cut, Meta meta) {
    return new Payload(cut.text(), meta);
  }

  /** A payload without {@code _meta}: one is put in front of its closing brace. */
  public static Payload withGeneratedMeta(
      Value.Cut cut, EventType type, UUID requestId, Instant receivedAt) {
    String open = cut.text().substring(0, cut.text().length() - 1);
    String separator = cut.isEmpty() ? "" : ",";
    String meta = Meta.generated(type, requestId, receivedAt);
    return new Payload(open + separator + "\"_meta\":" + meta + "}", Meta.NONE);
  }
}
