package dev.connectorevents.eventformat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.event.EventPosition;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.Sha256;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

/**
 * Where the next page of a list begins, as clients carry it. It names no shard and no key of a
 * table. A checksum over the query finds cursors that were changed, or belong to another list. It
 * protects nothing, and need not: every page has only what its reader may read.
 *
 * @param completeUntil the list's promise; the same on each of its pages
 */
public record EventCursor(Instant completeUntil, EventPosition position) {

  private static final int CHECKSUM = 8;
  private static final int LENGTH = 4 * Long.BYTES + CHECKSUM;

  /** Parses a cursor of this query; empty if it is none. */
  static Optional<EventCursor> parse(String text, EventQuery query) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      if (bytes.length != LENGTH) {
        return Optional.empty();
      }
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      EventCursor cursor =
          new EventCursor(
              Instant.ofEpochMilli(buffer.getLong()),
              new EventPosition(
                  Instant.ofEpochMilli(buffer.getLong()),
                  new UUID(buffer.getLong(), buffer.getLong())));
      return Optional.of(cursor)
          .filter(it -> it.text(query).equals(text))
          .filter(it -> Rfc3339.hasYearOfFourDigits(it.position().createdAt()));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // not base64
    }
  }

  /** The cursor in base64url (RFC 4648, 5). */
  public String text(EventQuery query) {
    byte[] content =
        ByteBuffer.allocate(4 * Long.BYTES)
            .putLong(completeUntil.toEpochMilli())
            .putLong(position.createdAt().toEpochMilli())
            .putLong(position.id().getMostSignificantBits())
            .putLong(position.id().getLeastSignificantBits())
            .array();
    byte[] cursor = ByteBuffer.allocate(LENGTH).put(content).put(checksum(content, query)).array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(cursor);
  }

  private static byte[] checksum(byte[] content, EventQuery query) {
    byte[] list = query.toString().getBytes(UTF_8);
    byte[] hash =
        Sha256.of(ByteBuffer.allocate(content.length + list.length).put(content).put(list).array());
    return Arrays.copyOf(hash, CHECKSUM);
  }
}
