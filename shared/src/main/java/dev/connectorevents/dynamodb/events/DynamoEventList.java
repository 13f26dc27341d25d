package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.events.EventAttributes.PARTS;

import dev.connectorevents.Json;
import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.EventList;
import dev.connectorevents.event.EventOrder;
import dev.connectorevents.event.EventPage;
import dev.connectorevents.event.EventPosition;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventTypes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/**
 * Lists events from an index of the table of {@link DynamoEvents}: it queries all lanes side by
 * side, merges their entries, and reads the events of the page from the table.
 *
 * <p>One position bounds every lane, so a page needs no state of its lanes. All that lies between
 * where a page begins and where it ends was read and judged, once.
 */
public final class DynamoEventList implements EventList {

  /** The most entries of the index that a page looks at: 2,500 of each lane. */
  private static final int MOST_ENTRIES = 20_000;

  /** A page looks at no further entries after this time. */
  private static final Duration LONGEST_SEARCH = Duration.ofSeconds(2);

  /**
   * Each round of queries looks at so many times the entries of the round before. A filter that
   * most events pass costs little more than none, and a rare event type only a few rounds.
   */
  private static final int GROWTH = 8;

  /** How many events with payloads are read at first: their items have up to 400 KB each. */
  private static final int FIRST_PAYLOADS = 10;

  /**
   * A page ends when it has unpacked so many characters. Payloads that are too large for any page
   * are unpacked as well: a hundred of them would take seconds.
   */
  private static final long MOST_UNPACKED = 16 * EventPage.MAX_PAYLOADS;

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final InstantSource clock;
  private final SideBySide sideBySide;
  private final BatchReads heads;

  /**
   * What the index has.
   *
   * @param keys in the order of the list
   * @param end the place up to which there are no others
   */
  private record Found(List<EventPosition> keys, EventPosition end) {}

  /**
   * What a page shows.
   *
   * @param judged how many of the keys were shown or left out; the next one is for the next page
   */
  private record Shown(List<EventPage.Entry> entries, int judged) {}

  /**
   * @param sideBySide runs the queries of one page
   * @param pause waits for the given time between two reads of the same items
   */
  public DynamoEventList(
      DynamoDbClient dynamoDb,
      String table,
      InstantSource clock,
      SideBySide sideBySide,
      Consumer<Duration> pause) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.clock = clock;
    this.sideBySide = sideBySide;
    this.heads = new BatchReads(dynamoDb, table, pause);
  }

  @Override
  public EventPage page(
      EventQuery query,
      Optional<EventTypes> scope,
      Optional<EventPosition> after,
      Instant completeUntil,
      int limit) {
    Stretch stretch = Stretch.of(query, after, completeUntil);
    Found found =
        stretch.isEmpty()
            ? new Found(List.of(), stretch.begin())
            : find(lanes(query, scope, stretch), stretch, limit);
    List<EventPosition> page = found.keys().subList(0, Math.min(limit, found.keys().size()));
    Shown shown = show(page, query);
    EventPosition end =
        shown.judged() < found.keys().size()
            ? found.keys().get(shown.judged() - 1) // the first one always has room
            : found.end();
    boolean hasMore = stretch.order().isBefore(end, stretch.end());
    boolean isAtItsEnd = query.order() == EventOrder.DESC || stretch.endsAt(query.to());
    return new EventPage(
        shown.entries(), hasMore || !isAtItsEnd ? Optional.of(end) : Optional.empty(), hasMore);
  }

  private List<Lane> lanes(EventQuery query, Optional<EventTypes> scope, Stretch stretch) {
    return IndexKeys.queries(
            query.brand(), stretch.first(), stretch.last(), IndexFilter.of(query, scope))
        .map(of -> of.tableName(table).scanIndexForward(query.order() == EventOrder.ASC).build())
        .map(lane -> new Lane(dynamoDb, lane, stretch))
        .toList();
  }

  /** Looks for about as many entries as the page may have, or at as many as a page may look at. */
  private Found find(List<Lane> lanes, Stretch stretch, int limit) {
    Instant latest = clock.instant().plus(LONGEST_SEARCH);
    int left = MOST_ENTRIES / IndexKeys.LANES;
    // The entries of a page are spread over the lanes by chance: about two deviations more.
    double share = (double) limit / IndexKeys.LANES;
    int most = (int) Math.ceil(share + 2 * Math.sqrt(share));
    while (true) {
      int ofEach = most;
      sideBySide.run(
          lanes.stream().filter(lane -> !lane.isRead()).toList(),
          lane -> {
            lane.read(ofEach);
            return lane;
          });
      EventPosition end =
          lanes.stream().map(Lane::end).min(stretch.order().comparator()).orElseThrow();
      List<EventPosition> keys =
          lanes.stream()
              .flatMap(lane -> lane.found().stream())
              .filter(stretch::contains)
              .filter(key -> stretch.order().isBefore(key, end))
              .distinct()
              .sorted(stretch.order().comparator())
              .toList();
      left -= most;
      if (keys.size() * 2 >= limit
          || left <= 0
          || lanes.stream().allMatch(Lane::isRead)
          || !clock.instant().isBefore(latest)) {
        return new Found(keys, end);
      }
      most = Math.min(most * GROWTH, left);
    }
  }

  /** Reads what the index has found, and leaves out what is no longer so. */
  private Shown show(List<EventPosition> keys, EventQuery query) {
    List<EventPage.Entry> entries = new ArrayList<>();
    long room = EventPage.MAX_PAYLOADS;
    long unpacked = 0;
    int judged = 0;
    while (judged < keys.size()) {
      int most = query.hasPayloads() ? mostPayloads(judged, room) : keys.size();
      List<EventPosition> next = keys.subList(judged, Math.min(judged + most, keys.size()));
      Map<String, Item> items = read(next, query);
      for (EventPosition key : next) {
        Optional<Item> item =
            Optional.ofNullable(items.get(key.id().toString())).filter(it -> isThere(it, key));
        Optional<String> text =
            item.filter(it -> query.hasPayloads()).flatMap(DynamoEventList::text);
        Optional<String> payload =
            text.filter(it -> Json.sizeInString(it) <= EventPage.MAX_PAYLOADS);
        unpacked += text.map(String::length).orElse(0);
        room -= payload.map(Json::sizeInString).orElse(0L);
        if (room < 0 || unpacked > MOST_UNPACKED) {
          return new Shown(entries, judged);
        }
        item.flatMap(it -> entry(it, payload, query.hasErasures())).ifPresent(entries::add);
        judged++;
      }
    }
    return new Shown(entries, judged);
  }

  /** How many further payloads there may be room for, by the size of those that were read. */
  private static int mostPayloads(int read, long room) {
    long used = EventPage.MAX_PAYLOADS - room;
    return read == 0 ? FIRST_PAYLOADS : Math.clamp(room * read / Math.max(used, 1), 1, 100);
  }

  private Map<String, Item> read(List<EventPosition> keys, EventQuery query) {
    return heads.get(
        keys.stream().map(key -> key.id().toString()).distinct().toList(),
        query.hasPayloads() ? KeysAndAttributes.builder() : EventItem.head());
  }

  /**
   * Whether the item is still what the index says. The index may still have the entry of an event
   * that was erased, has expired, or whose id belongs to a newer event by now.
   */
  private boolean isThere(Item item, EventPosition key) {
    return IndexKeys.position(item).equals(key) && !EventItem.isExpired(item, clock.instant());
  }

  /** An event's payload. Empty if further items have the rest of it: no page can have it. */
  private static Optional<String> text(Item item) {
    return Tombstone.isOne(item) || item.has(PARTS)
        ? Optional.empty()
        : Optional.of(StoredPayload.text(item, List.of()));
  }

  private static Optional<EventPage.Entry> entry(
      Item item, Optional<String> payload, boolean hasErasures) {
    Optional<Instant> erasedAt = EventItem.erasedAt(item);
    return erasedAt.isEmpty()
        ? Optional.of(
            new EventPage.ListedEvent(EventItem.event(item), EventItem.userId(item), payload))
        : erasedAt
            .filter(at -> hasErasures)
            .map(at -> new EventPage.ListedErasure(IndexKeys.position(item).id(), at));
  }
}
