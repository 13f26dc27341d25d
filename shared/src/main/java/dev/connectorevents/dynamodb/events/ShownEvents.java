package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.events.EventAttributes.PARTS;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.FeedPosition;
import dev.connectorevents.event.ListEntry;
import dev.connectorevents.event.PageRoom;
import dev.connectorevents.feed.StoredEntries;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/** Reads what a page of a list shows, and leaves out what is no longer stored. */
final class ShownEvents {

  /** How many events with payloads are read at first: their items have up to 400 KB each. */
  private static final int FIRST_PAYLOADS = 10;

  private final BatchReads items;
  private final InstantSource clock;

  /**
   * @param items reads the table of {@link DynamoEvents}
   */
  ShownEvents(BatchReads items, InstantSource clock) {
    this.items = items;
    this.clock = clock;
  }

  /**
   * What a page may show at one place.
   *
   * @param isStill whether the stored item is the one of this place
   */
  record Wanted(UUID id, Predicate<Item> isStill, Optional<FeedPosition> position) {}

  StoredEntries.Shown show(List<Wanted> all, boolean hasPayloads, PageRoom room) {
    List<ListEntry> entries = new ArrayList<>();
    int judged = 0;
    while (judged < all.size() && (judged == 0 || !room.isTimeUp())) {
      int most = hasPayloads ? mostPayloads(judged, room) : BatchReads.MAX_KEYS;
      List<Wanted> next = all.subList(judged, Math.min(judged + most, all.size()));
      BatchReads.Read read = read(next, hasPayloads, judged == 0, room);
      for (Wanted wanted : next) {
        if (read.unread().contains(wanted.id().toString())) {
          return new StoredEntries.Shown(entries, judged);
        }
        Optional<ListEntry> entry =
            Optional.ofNullable(read.items().get(wanted.id().toString()))
                .filter(item -> !EventItem.isExpired(item, clock.instant()))
                .filter(wanted.isStill())
                .map(item -> entry(wanted, item, hasPayloads, room));
        if (entry.isPresent() && !room.take(entry.get())) {
          return new StoredEntries.Shown(entries, judged);
        }
        entry.ifPresent(entries::add);
        judged++;
      }
    }
    return new StoredEntries.Shown(entries, judged);
  }

  /** How many further payloads there may be room for. */
  private static int mostPayloads(int read, PageRoom room) {
    return read == 0 ? FIRST_PAYLOADS : Math.clamp(room.further(read), 1, BatchReads.MAX_KEYS);
  }

  /**
   * @param isFirst whether the page has nothing yet: it goes on until it has its first entry
   */
  private BatchReads.Read read(
      List<Wanted> wanted, boolean hasPayloads, boolean isFirst, PageRoom room) {
    List<String> ids = wanted.stream().map(it -> it.id().toString()).distinct().toList();
    return items.get(
        ids,
        hasPayloads ? KeysAndAttributes.builder() : EventItem.head(),
        isFirst ? ids.subList(0, 1) : List.of(),
        room::isTimeUp);
  }

  private static ListEntry entry(Wanted wanted, Item item, boolean hasPayload, PageRoom room) {
    Optional<Instant> erasedAt = EventItem.erasedAt(item);
    if (erasedAt.isPresent()) {
      return new ListEntry.OfErasure(wanted.position().orElseThrow(), wanted.id(), erasedAt.get());
    }
    ListEntry.OfEvent event =
        new ListEntry.OfEvent(
            wanted.position(), EventItem.event(item), EventItem.userId(item), Optional.empty());
    if (!hasPayload || item.has(PARTS)) { // further items have the rest: no page can have it
      return event;
    }
    String payload = StoredPayload.text(item, List.of());
    room.unpack(payload);
    return event.with(payload);
  }
}
