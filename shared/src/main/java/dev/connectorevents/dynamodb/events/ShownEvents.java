package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.events.EventAttributes.PARTS;

import dev.connectorevents.Json;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.ListEntry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/**
 * Reads what a page of a list shows, and leaves out what is no longer stored.
 *
 * @param items reads the table of {@link DynamoEvents}
 */
record ShownEvents(BatchReads items, InstantSource clock) {

  /** How many events with payloads are read at first: their items have up to 400 KB each. */
  private static final int FIRST_PAYLOADS = 10;

  /**
   * A page ends when it has unpacked so many characters. Payloads that are too large for any page
   * are unpacked as well: a hundred of them would take seconds.
   */
  private static final long MOST_UNPACKED = 16 * ListEntry.MAX_PAYLOADS;

  /**
   * What a page may show at one place.
   *
   * @param isStill whether the stored item is the one of this place
   */
  record Wanted(UUID id, Predicate<Item> isStill, OptionalLong position) {}

  /**
   * What a page shows.
   *
   * @param judged how many of the wanted ones were shown or left out; the next one is for the next
   *     page
   */
  record Page(List<ListEntry> entries, int judged) {}

  Page page(List<Wanted> all, boolean hasPayloads) {
    List<ListEntry> entries = new ArrayList<>();
    long room = ListEntry.MAX_PAYLOADS;
    long unpacked = 0;
    int judged = 0;
    while (judged < all.size()) {
      int most = hasPayloads ? mostPayloads(judged, room) : all.size();
      List<Wanted> next = all.subList(judged, Math.min(judged + most, all.size()));
      Map<String, Item> read = read(next, hasPayloads);
      for (Wanted wanted : next) {
        Optional<Item> item =
            Optional.ofNullable(read.get(wanted.id().toString()))
                .filter(it -> !EventItem.isExpired(it, clock.instant()))
                .filter(wanted.isStill());
        Optional<String> text = item.filter(it -> hasPayloads).flatMap(ShownEvents::text);
        Optional<String> payload =
            text.filter(it -> Json.sizeInString(it) <= ListEntry.MAX_PAYLOADS);
        unpacked += text.map(String::length).orElse(0);
        room -= payload.map(Json::sizeInString).orElse(0L);
        if (room < 0 || unpacked > MOST_UNPACKED) {
          return new Page(entries, judged);
        }
        item.map(it -> entry(wanted, it, payload)).ifPresent(entries::add);
        judged++;
      }
    }
    return new Page(entries, judged);
  }

  /** How many further payloads there may be room for, by the size of those that were read. */
  private static int mostPayloads(int read, long room) {
    long used = ListEntry.MAX_PAYLOADS - room;
    return read == 0
        ? FIRST_PAYLOADS
        : Math.clamp(room * read / Math.max(used, 1), 1, BatchReads.MAX_KEYS);
  }

  private Map<String, Item> read(List<Wanted> wanted, boolean hasPayloads) {
    return items.get(
        wanted.stream().map(it -> it.id().toString()).distinct().toList(),
        hasPayloads ? KeysAndAttributes.builder() : EventItem.head());
  }

  /** An event's payload. Empty if further items have the rest of it: no page can have it. */
  private static Optional<String> text(Item item) {
    return Tombstone.isOne(item) || item.has(PARTS)
        ? Optional.empty()
        : Optional.of(StoredPayload.text(item, List.of()));
  }

  private static ListEntry entry(Wanted wanted, Item item, Optional<String> payload) {
    Optional<Instant> erasedAt = EventItem.erasedAt(item);
    return erasedAt.isPresent()
        ? new ListEntry.OfErasure(wanted.position().orElseThrow(), wanted.id(), erasedAt.get())
        : new ListEntry.OfEvent(
            wanted.position(), EventItem.event(item), EventItem.userId(item), payload);
  }
}
