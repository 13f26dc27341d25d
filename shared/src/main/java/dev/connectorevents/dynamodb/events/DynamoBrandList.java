package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.events.EventAttributes.EVENT_TYPE;
import static java.util.stream.Collectors.joining;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.SideBySide;
import dev.connectorevents.event.BrandList;
import dev.connectorevents.event.EventPlace;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventTypePattern;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.event.PageRoom;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.feed.StoredEntries;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Lists a brand's events from the index of the table of {@link DynamoEvents}: it queries all lanes
 * side by side, merges their entries, and reads the events of the page from the table.
 *
 * <p>One place bounds every lane, so a page needs no state of its lanes. All that lies between
 * where a page begins and where it ends was read and judged, once.
 */
public final class DynamoBrandList implements BrandList {

  private static final Instant AFTER_LAST = Instant.parse("9999-12-31T23:59:59.999Z").plusMillis(1);

  /** The most entries of each lane that a page looks at, before the filter. */
  private static final int MOST_FILTERED = 1_000;

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final InstantSource clock;
  private final SideBySide sideBySide;
  private final ShownEvents shown;

  /**
   * @param sideBySide runs the queries of one page
   * @param pause waits for the given time between two reads of the same items
   */
  public DynamoBrandList(
      DynamoDbClient dynamoDb,
      String table,
      InstantSource clock,
      SideBySide sideBySide,
      Consumer<Duration> pause) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.clock = clock;
    this.sideBySide = sideBySide;
    this.shown = new ShownEvents(new BatchReads(dynamoDb, table, pause), clock);
  }

  @Override
  public Page page(
      EventQuery query, Optional<EventTypes> scope, Optional<EventPlace> after, int limit) {
    PageRoom room = new PageRoom(clock);
    String brand = query.brand().orElseThrow();
    Instant first = query.from().orElse(Timestamp.EARLIEST);
    EventPlace begin = after.orElseGet(() -> EventPlace.before(query.to().orElse(AFTER_LAST)));
    Instant last =
        begin.isBeforeMillisecond() ? begin.createdAt().minusMillis(1) : begin.createdAt();
    if (last.isBefore(first)) {
      return new Page(List.of(), Optional.empty());
    }
    Filter filter = Filter.of(Stream.of(query.types(), scope).flatMap(Optional::stream).toList());
    List<BrandLane> lanes =
        sideBySide.run(
            BrandIndex.queries(table, brand, first, last)
                .map(lane -> filter.query(lane, limit))
                .toList(),
            lane -> BrandLane.read(dynamoDb, lane, last));
    Optional<Instant> cutAt =
        lanes.stream().flatMap(lane -> lane.cutAt().stream()).max(Comparator.naturalOrder());
    List<EventPlace> places =
        lanes.stream()
            .flatMap(lane -> lane.found().stream())
            .filter(place -> place.compareTo(begin) < 0)
            .filter(place -> cutAt.map(place.createdAt()::isAfter).orElse(true))
            .distinct()
            .sorted(Comparator.reverseOrder())
            .toList();
    return show(places, cutAt, query, limit, room);
  }

  private Page show(
      List<EventPlace> places,
      Optional<Instant> cutAt,
      EventQuery query,
      int limit,
      PageRoom room) {
    StoredEntries.Shown page =
        shown.show(
            places.stream()
                .limit(limit)
                .map(place ->
                    new ShownEvents.Wanted(
                        place.id(),
                        item -> EventItem.isEventOf(item, place, query.brand().orElseThrow()),
                        Optional.empty()))
                .toList(),
            query.hasPayloads(),
            room);
    Optional<EventPlace> next =
        page.judged() < places.size()
            ? Optional.of(places.get(page.judged() - 1)) // a page judges the first one at least
            : cutAt.map(time -> EventPlace.before(time.plusMillis(1)));
    return new Page(page.entries(), next);
  }

  /**
   * What a query leaves out of the index. DynamoDB judges it after it has read and counted an
   * entry, and returns only what passes.
   *
   * @param expression empty if nothing is left out
   */
  private record Filter(String expression, Map<String, AttributeValue> values) {

    /** Lets an event pass that is of a type of each of these. */
    static Filter of(List<EventTypes> all) {
      Map<String, AttributeValue> values = new HashMap<>();
      String expression =
          all.stream()
              .filter(types -> !types.containsAll())
              .map(types ->
                  types.patterns().stream()
                      .map(pattern -> term(pattern, values))
                      .collect(joining(" OR ", "(", ")")))
              .collect(joining(" AND "));
      return new Filter(expression, values);
    }

    private static String term(EventTypePattern pattern, Map<String, AttributeValue> values) {
      String name = ":type" + values.size();
      values.put(name, fromS(pattern.beginning()));
      return pattern.isFullType()
          ? EVENT_TYPE + " = " + name
          : "begins_with(" + EVENT_TYPE + ", " + name + ")";
    }

    /** The query of a lane, newest first, for a page of so many events. */
    QueryRequest query(QueryRequest lane, int limit) {
      QueryRequest.Builder query = lane.toBuilder().scanIndexForward(false);
      if (expression.isEmpty()) {
        // The entries of a page are spread over the lanes by chance: about two deviations more. The
        // last entry that is read of a lane does not count, as others of its millisecond may
        // follow.
        double share = (double) limit / BrandIndex.LANES;
        return query.limit(1 + (int) Math.ceil(share + 2 * Math.sqrt(share))).build();
      }
      Map<String, AttributeValue> all = new HashMap<>(lane.expressionAttributeValues());
      all.putAll(values);
      return query
          .limit(MOST_FILTERED)
          .filterExpression(expression)
          .expressionAttributeValues(all)
          .build();
    }
  }
}
