package dev.connectorevents.eventformat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.event.Base64Url;
import dev.connectorevents.event.EventPlace;
import dev.connectorevents.event.Sha256;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;

/**
 * Where the next page of a brand's list, newest first, begins, as clients carry it. A checksum over
 * the brand finds cursors that were changed, or belong to another list. It protects nothing, and
 * need not: every page has only what its reader may read.
 */
public final class BrandCursor {

  private static final int CHECKSUM = 8;
  private static final int CONTENT = 3 * Long.BYTES;

  private BrandCursor() {}

  /** Parses a cursor of this brand's list; empty if it is none. */
  static Optional<EventPlace> parse(String text, String brand) {
    return Base64Url.parse(text)
        .filter(bytes -> bytes.length == CONTENT + CHECKSUM)
        .map(ByteBuffer::wrap)
        .map(bytes ->
            new EventPlace(
                Instant.ofEpochMilli(bytes.getLong()), new UUID(bytes.getLong(), bytes.getLong())))
        .filter(it -> text(it, brand).equals(text))
        .filter(it -> Rfc3339.hasYearOfFourDigits(it.createdAt()));
  }

  public static String text(EventPlace place, String brand) {
    ByteBuffer content =
        ByteBuffer.allocate(CONTENT)
            .putLong(place.createdAt().toEpochMilli())
            .putLong(place.id().getMostSignificantBits())
            .putLong(place.id().getLeastSignificantBits());
    byte[] name = ("newest first of " + brand).getBytes(UTF_8);
    byte[] hash =
        Sha256.of(
            ByteBuffer.allocate(CONTENT + name.length).put(content.array()).put(name).array());
    byte[] cursor =
        ByteBuffer.allocate(CONTENT + CHECKSUM)
            .put(content.array())
            .put(Arrays.copyOf(hash, CHECKSUM))
            .array();
    return Base64Url.of(cursor);
  }
}
