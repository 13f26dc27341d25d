package dev.connectorevents.dynamodb.erasure;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.events.BatchReads;
import dev.connectorevents.dynamodb.events.EventItem;
import dev.connectorevents.dynamodb.events.ItemSize;
import dev.connectorevents.erasure.ErasableEvent;
import dev.connectorevents.erasure.ErasableEvents.Entry;
import dev.connectorevents.erasure.ErasableEvents.Page;
import dev.connectorevents.erasure.ErasableEvents.Search;
import dev.connectorevents.erasure.ErasableEvents.UnknownPlaceException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/** Reads events from the table by their ids, which the index, the feed or an operator names. */
final class ErasableItems {

  /** The most events of a page. */
  static final int PAGE = BatchReads.MAX_KEYS;

  /** The most events with payloads that are read at once: their items have up to 400 KB each. */
  private static final int PAYLOADS_OF_A_READ = 20;

  /** A page ends with the read after which its items have so many bytes. */
  private static final long ENOUGH_BYTES = 4 << 20;

  private final BatchReads items;

  ErasableItems(BatchReads items) {
    this.items = items;
  }

  /**
   * An event that may be wanted: its item decides.
   *
   * @param next where the page begins that has what follows
   */
  record Named(UUID id, String next) {}

  /**
   * A page of the named events, until it is full.
   *
   * @param end where the next page begins if this one has all of them
   */
  Page page(List<Named> named, Search search, Optional<String> end) {
    Map<String, Item> found = new HashMap<>();
    int read = 0;
    long bytes = 0;
    while (read < named.size() && bytes < ENOUGH_BYTES) {
      List<String> next =
          named.stream()
              .skip(read)
              .limit(search.hasPayloads() ? PAYLOADS_OF_A_READ : PAGE)
              .map(it -> it.id().toString())
              .toList();
      Map<String, Item> more =
          items.get(
              next.stream().distinct().toList(),
              search.hasPayloads() ? KeysAndAttributes.builder() : EventItem.version());
      bytes += more.values().stream().mapToLong(ItemSize::of).sum();
      found.putAll(more);
      read += next.size();
    }
    List<Entry> entries = new ArrayList<>();
    for (Named each : named.subList(0, read)) {
      event(found.get(each.id().toString()), search)
          .filter(search.selector()::selects) // a new event may have taken the id
          .ifPresent(event -> entries.add(new Entry(event, each.next())));
    }
    return new Page(entries, read < named.size() ? Optional.of(named.get(read - 1).next()) : end);
  }

  /** Empty if there is none, or a tombstone, or an event of another time. */
  static Optional<ErasableEvent> event(@Nullable Item item, Search search) {
    return ErasableItem.of(item)
        .filter(event -> !event.createdAt().isBefore(search.from()))
        .filter(event -> event.createdAt().isBefore(search.before()));
  }

  /** Reads a place that a caller may have made up. */
  static <T> T placed(Supplier<T> place) {
    try {
      return place.get();
    } catch (IllegalArgumentException | DateTimeException | IndexOutOfBoundsException e) {
      throw new UnknownPlaceException(e);
    }
  }
}
