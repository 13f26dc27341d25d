package dev.connectorevents.dynamodb.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.SideBySide;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.BrandList;
import dev.connectorevents.event.EventPlace;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.event.ListEntry;
import dev.connectorevents.event.TestQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The list of a brand. Each test has a brand and a day of its own, since a table has the events of
 * all tests of a class.
 */
final class ListedDay {

  private static final Instant FIRST = Instant.parse("2026-01-01T12:00:00Z");
  private static final AtomicInteger days = new AtomicInteger();

  final Instant noon = FIRST.plus(Duration.ofDays(days.getAndIncrement()));
  final String brand = "brand of " + noon;
  final AdjustableClock clock = new AdjustableClock(noon.plus(Duration.ofHours(1)) + "");
  final EventWriter writer;
  final BrandList list;

  /**
   * @param reader the client of the list
   */
  ListedDay(Stores service, DynamoDbClient reader) {
    String table = service.name("EventsTable");
    writer = new EventWriter(service.dynamoDb(), table);
    list =
        new DynamoBrandList(
            reader, table, clock, new SideBySide(Thread::startVirtualThread, 8), pause -> {});
  }

  UUID inLane(int lane, long number) {
    return new UUID(noon.getEpochSecond() << 16 | number, Long.MIN_VALUE + lane);
  }

  EventPlace store(String type, Instant createdAt) {
    return writer.store(type, Optional.of(brand), createdAt);
  }

  EventPlace store(UUID id, String type, Instant createdAt) {
    return writer.store(id, type, Optional.of(brand), createdAt, Optional.empty());
  }

  TestQuery of(String types) {
    return TestQuery.ofTypes(types).brand(brand);
  }

  List<EventPlace> all(TestQuery query, int limit) {
    return pages(query, limit).stream().flatMap(List::stream).toList();
  }

  List<List<EventPlace>> pages(TestQuery query, int limit) {
    return pages(query, Optional.empty(), limit);
  }

  List<List<EventPlace>> pages(TestQuery query, Optional<EventPlace> after, int limit) {
    List<List<EventPlace>> pages = new ArrayList<>();
    Optional<EventPlace> next = after;
    do {
      BrandList.Page page = page(query, next, limit);
      assertThat(page.entries()).hasSizeLessThanOrEqualTo(limit);
      pages.add(places(page));
      next = page.next();
    } while (next.isPresent());
    return pages;
  }

  BrandList.Page page(TestQuery query, Optional<EventPlace> after, int limit) {
    return page(query, Optional.empty(), after, limit);
  }

  BrandList.Page page(
      TestQuery query, Optional<EventTypes> scope, Optional<EventPlace> after, int limit) {
    return list.page(query.get(), scope, after, limit);
  }

  static List<EventPlace> places(BrandList.Page page) {
    return page.entries().stream()
        .map(entry -> ((ListEntry.OfEvent) entry).event())
        .map(event -> new EventPlace(event.createdAt(), event.id()))
        .toList();
  }
}
