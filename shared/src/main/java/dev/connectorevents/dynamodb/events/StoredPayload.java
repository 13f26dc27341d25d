package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.events.EventAttributes.EXPIRES_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.PARTS;
import static dev.connectorevents.dynamodb.events.EventAttributes.PAYLOAD;
import static dev.connectorevents.dynamodb.events.EventAttributes.RENUMBERED_AT;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.Gzip;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.Timestamp;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Stores a payload in the attribute {@code payload}: as a string, or as gzip (RFC 1952) in a binary
 * if that costs fewer write units.
 *
 * <p>If one item cannot hold it, the compressed bytes continue in the items {@code <id>#1}, {@code
 * <id>#2} …; the first item's attribute {@code parts} says how many there are.
 */
public final class StoredPayload {

  /** An item's largest size when it is stored: it may get a new position later. */
  private static final long LIMIT =
      ItemSize.LIMIT - ItemSize.of(RENUMBERED_AT, Timestamp.of(Instant.EPOCH).length());

  /** More parts than any transaction can hold. */
  private static final int MOST_PARTS = 99;

  /** More bytes than any request can have: Lambda takes 6 MB. */
  private static final int MOST_BYTES = 6 << 20;

  private StoredPayload() {}

  /**
   * The items to store.
   *
   * @param event the event's item, which gets its payload
   * @return that item, and the further items that the payload needs
   */
  static List<Item> put(Item event, String payload) {
    byte[] text = payload.getBytes(UTF_8);
    long asText = ItemSize.of(event) + ItemSize.of(PAYLOAD, text.length);
    if (ItemSize.units(asText) == 1) {
      return List.of(event.put(PAYLOAD, payload));
    }
    byte[] gzip = Gzip.compress(text);
    long asGzip = ItemSize.of(event) + ItemSize.of(PAYLOAD, gzip.length);
    if (asText <= LIMIT && ItemSize.units(asText) <= ItemSize.units(asGzip)) {
      return List.of(event.put(PAYLOAD, payload));
    }
    return asGzip <= LIMIT ? List.of(event.put(PAYLOAD, gzip)) : split(event, gzip);
  }

  /** Whether an item continues the payload of another one. */
  public static boolean isPart(Item item) {
    return item.text("id").contains("#");
  }

  /**
   * The ids of the further items that hold the payload, in their order.
   *
   * @throws IllegalArgumentException if {@link #put} never writes such a number of them: the item
   *     is damaged
   */
  public static List<String> partIds(Item event) {
    long parts = event.number(PARTS, 0);
    if (event.has(PARTS) && (parts < 1 || parts > MOST_PARTS)) {
      throw new IllegalArgumentException("an event cannot have %d parts".formatted(parts));
    }
    return partIds(event, parts);
  }

  /** The ids of all further items that there may be. Of a damaged item, too many. */
  public static List<String> erasablePartIds(Item event) {
    try {
      return partIds(event);
    } catch (IllegalArgumentException e) {
      return partIds(event, MOST_PARTS);
    }
  }

  private static List<String> partIds(Item event, long parts) {
    String id = event.text("id");
    return LongStream.rangeClosed(1, parts).mapToObj(part -> id + "#" + part).toList();
  }

  /**
   * Joins what {@link #put} made.
   *
   * @param parts the items of {@link #partIds}
   * @throws DependencyUnavailableException if the items do not belong together: another event has
   *     taken over the id between two reads
   * @throws IllegalArgumentException if the payload is larger than any that was sent
   */
  static String text(Item event, List<Item> parts) {
    Optional<String> text = event.ifText(PAYLOAD);
    if (text.isPresent()) {
      return text.get();
    }
    try (InputStream payload = stream(event, parts)) {
      byte[] bytes = payload.readNBytes(MOST_BYTES);
      if (payload.read() >= 0) {
        throw new IllegalArgumentException("an event cannot have such a large payload");
      }
      return new String(bytes, UTF_8);
    } catch (IOException e) {
      throw new DependencyUnavailableException("an event's payload is incomplete", e);
    }
  }

  /**
   * Reads what {@link #put} made, without holding all of it in memory.
   *
   * @param parts the items of {@link #partIds}
   * @throws IOException also while the stream is read: if the items do not belong together
   */
  public static InputStream stream(Item event, List<Item> parts) throws IOException {
    Optional<String> text = event.ifText(PAYLOAD);
    if (text.isPresent()) {
      return new ByteArrayInputStream(text.get().getBytes(UTF_8));
    }
    List<InputStream> gzip = new ArrayList<>(List.of(bytes(event)));
    parts.forEach(part -> gzip.add(bytes(part)));
    return Gzip.decompressing(new SequenceInputStream(Collections.enumeration(gzip)));
  }

  private static InputStream bytes(Item item) {
    return new ByteArrayInputStream(item.bytes(PAYLOAD));
  }

  private static List<Item> split(Item event, byte[] bytes) {
    event.put(PARTS, MOST_PARTS); // reserves its bytes before the payload fills the item
    List<Item> items = new ArrayList<>(List.of(event));
    int start = putPart(event, bytes, 0);
    while (start < bytes.length) {
      Item part =
          new Item().put("id", event.text("id") + "#" + items.size()).copy(EXPIRES_AT, event);
      start = putPart(part, bytes, start);
      items.add(part);
    }
    event.put(PARTS, items.size() - 1);
    return items;
  }

  /** Fills an item up to its limit; returns where the next part begins. */
  private static int putPart(Item item, byte[] bytes, int start) {
    int room = (int) (LIMIT - ItemSize.of(item) - ItemSize.of(PAYLOAD, 0));
    int end = Math.min(start + room, bytes.length);
    item.put(PAYLOAD, Arrays.copyOfRange(bytes, start, end));
    return end;
  }
}
