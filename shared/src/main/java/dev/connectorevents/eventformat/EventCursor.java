package dev.connectorevents.eventformat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.event.EventOrder;
import dev.connectorevents.event.EventPosition;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.event.Sha256;
import dev.connectorevents.event.Timestamp;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

/**
 * Where the next page of a list begins, as clients carry it. It names no lane and no key of a
 * table. A checksum over the query finds cursors that were changed, or belong to another list. It
 * protects nothing, and need not: every page has only what its reader may read.
 *
 * @param completeUntil the promise of a list that is read newest first: the same on each of its
 *     pages. Empty for a feed, whose promise grows
 */
public record EventCursor(EventPosition position, Optional<Instant> completeUntil) {

  /** The first byte. A feed keeps its cursors for ever: read every version that was ever given. */
  private static final byte VERSION = 1;

  private static final int CHECKSUM = 8;

  /** Parses a cursor of this query; empty if it is none. */
  static Optional<EventCursor> parse(String text, EventQuery query) {
    boolean isFeed = query.order() == EventOrder.ASC;
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      if (bytes.length != length(isFeed)) {
        return Optional.empty();
      }
      ByteBuffer buffer = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
      EventPosition position =
          new EventPosition(
              Instant.ofEpochMilli(buffer.getLong()), new UUID(buffer.getLong(), buffer.getLong()));
      EventCursor cursor =
          new EventCursor(
              position,
              isFeed ? Optional.empty() : Optional.of(Instant.ofEpochMilli(buffer.getLong())));
      return Optional.of(cursor)
          .filter(it -> it.text(query).equals(text))
          .filter(it -> Rfc3339.hasYearOfFourDigits(position.createdAt()));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // not base64
    }
  }

  /** The cursor in base64url (RFC 4648, 5). */
  public String text(EventQuery query) {
    ByteBuffer cursor =
        ByteBuffer.allocate(length(completeUntil.isEmpty()))
            .put(VERSION)
            .putLong(position.createdAt().toEpochMilli())
            .putLong(position.id().getMostSignificantBits())
            .putLong(position.id().getLeastSignificantBits());
    completeUntil.ifPresent(time -> cursor.putLong(time.toEpochMilli()));
    byte[] content = Arrays.copyOf(cursor.array(), cursor.position());
    cursor.put(checksum(content, query));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(cursor.array());
  }

  private static int length(boolean isFeed) {
    return 1 + (isFeed ? 3 : 4) * Long.BYTES + CHECKSUM;
  }

  private static byte[] checksum(byte[] content, EventQuery query) {
    byte[] list = canonical(query).getBytes(UTF_8);
    byte[] hash =
        Sha256.of(ByteBuffer.allocate(content.length + list.length).put(content).put(list).array());
    return Arrays.copyOf(hash, CHECKSUM);
  }

  /** One text for all ways to ask for the same list. To change it would end every feed. */
  private static String canonical(EventQuery query) {
    return String.join(
        "\n",
        query.order().name(),
        query.types().map(EventCursor::sorted).orElse(""),
        query.from().map(Timestamp::of).orElse(""),
        query.to().map(Timestamp::of).orElse(""),
        query.hasPayloads() ? "payload" : "",
        query.hasErasures() ? "erasures" : "",
        query.brand().orElse("")); // at the end: it may have line feeds
  }

  private static String sorted(EventTypes types) {
    return types.values().stream().sorted().reduce("", (all, next) -> all + "," + next);
  }
}
