package dev.connectorevents.dynamodb.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.feed.BrandHash;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.ItemVersion;
import dev.connectorevents.feed.Segment;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Converts a segment to an item of the feed's table, and back.
 *
 * <p>The attribute {@code entries} is a binary: a version byte; the number of event types and each
 * of them; the number of users and each of them; the number of entries and each of them. An entry
 * names its type and its user by their places in these lists.
 */
public final class SegmentItem {

  /** The table's partition key. All segments have the same value. */
  static final String FEED = "feed";

  /** The sort key: the position of a segment's first entry. */
  static final String FIRST = "first";

  /** The value of {@link #FEED} of segments. */
  static final String EVENTS = "events";

  private static final String NAME = "name";
  private static final String AT = "numbered_at";
  private static final String ENTRIES = "entries";

  private static final byte VERSION = 1;

  private static final int IS_ERASURE = 1;
  private static final int IS_RENUMBERED = 2;
  private static final int HAS_BRAND = 4;

  private SegmentItem() {}

  public static Item of(Segment segment) {
    return new Item()
        .put(FEED, EVENTS)
        .put(FIRST, segment.first())
        .put(NAME, segment.feed())
        .put(AT, Timestamp.of(segment.at()))
        .put(ENTRIES, bytes(segment.entries()));
  }

  /**
   * Reads what {@link #of} made.
   *
   * @throws DependencyUnavailableException if a newer version of the service made it: to skip it
   *     would lose its events
   */
  static Segment segment(Item item) {
    return new Segment(
        item.text(NAME),
        item.number(FIRST, 0),
        Instant.parse(item.text(AT)),
        entries(ByteBuffer.wrap(item.bytes(ENTRIES))));
  }

  private static byte[] bytes(List<FeedEntry> entries) {
    List<FeedEntry.OfEvent> events =
        entries.stream()
            .filter(FeedEntry.OfEvent.class::isInstance)
            .map(FeedEntry.OfEvent.class::cast)
            .toList();
    List<EventType> types = events.stream().map(FeedEntry.OfEvent::type).distinct().toList();
    List<UUID> users = events.stream().map(FeedEntry.OfEvent::userId).distinct().toList();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeShort(types.size());
      for (EventType type : types) {
        byte[] utf8 = type.value().getBytes(UTF_8);
        out.writeShort(utf8.length);
        out.write(utf8);
      }
      out.writeShort(users.size());
      for (UUID user : users) {
        write(out, user);
      }
      out.writeShort(entries.size());
      for (FeedEntry entry : entries) {
        write(out, entry, types, users);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return bytes.toByteArray();
  }

  private static void write(
      DataOutputStream out, FeedEntry entry, List<EventType> types, List<UUID> users)
      throws IOException {
    ItemVersion version = entry.version();
    boolean hasBrand = entry instanceof FeedEntry.OfEvent event && event.brand().isPresent();
    out.writeByte(
        (entry instanceof FeedEntry.OfErasure ? IS_ERASURE : 0)
            | (version.renumberedAt().isPresent() ? IS_RENUMBERED : 0)
            | (hasBrand ? HAS_BRAND : 0));
    write(out, version.id());
    out.writeLong(version.at().toEpochMilli());
    if (version.renumberedAt().isPresent()) {
      out.writeLong(version.renumberedAt().get().toEpochMilli());
    }
    if (entry instanceof FeedEntry.OfEvent event) {
      out.writeShort(types.indexOf(event.type()));
      out.writeShort(users.indexOf(event.userId()));
      if (event.brand().isPresent()) {
        out.writeShort(event.brand().get().value());
      }
    }
  }

  private static void write(DataOutputStream out, UUID id) throws IOException {
    out.writeLong(id.getMostSignificantBits());
    out.writeLong(id.getLeastSignificantBits());
  }

  private static List<FeedEntry> entries(ByteBuffer in) {
    byte version = in.get();
    if (version != VERSION) {
      throw new DependencyUnavailableException(
          "a segment of the feed has the unknown version " + version);
    }
    List<EventType> types = list(in, it -> new EventType(text(it)));
    List<UUID> users = list(in, SegmentItem::id);
    return list(in, it -> entry(it, types, users));
  }

  private static <T> List<T> list(ByteBuffer in, Function<ByteBuffer, T> next) {
    int size = unsignedShort(in);
    List<T> all = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      all.add(next.apply(in));
    }
    return all;
  }

  private static FeedEntry entry(ByteBuffer in, List<EventType> types, List<UUID> users) {
    byte flags = in.get();
    UUID id = id(in);
    Instant at = Instant.ofEpochMilli(in.getLong());
    Optional<Instant> renumberedAt =
        (flags & IS_RENUMBERED) == 0
            ? Optional.empty()
            : Optional.of(Instant.ofEpochMilli(in.getLong()));
    ItemVersion version = new ItemVersion(id, at, renumberedAt);
    if ((flags & IS_ERASURE) != 0) {
      return new FeedEntry.OfErasure(version);
    }
    EventType type = types.get(unsignedShort(in));
    UUID user = users.get(unsignedShort(in));
    return new FeedEntry.OfEvent(
        version,
        type,
        user,
        (flags & HAS_BRAND) == 0
            ? Optional.empty()
            : Optional.of(new BrandHash(unsignedShort(in))));
  }

  private static int unsignedShort(ByteBuffer in) {
    return Short.toUnsignedInt(in.getShort());
  }

  private static UUID id(ByteBuffer in) {
    return new UUID(in.getLong(), in.getLong());
  }

  private static String text(ByteBuffer in) {
    byte[] utf8 = new byte[unsignedShort(in)];
    in.get(utf8);
    return new String(utf8, UTF_8);
  }
}
