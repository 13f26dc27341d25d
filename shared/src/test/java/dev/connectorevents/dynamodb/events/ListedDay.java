package dev.connectorevents.dynamodb.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.SideBySide;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.EventPage;
import dev.connectorevents.event.EventPosition;
import dev.connectorevents.event.EventQuery;
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
 * The list of a day. Each test has a day of its own, since a table has the events of all tests of a
 * class.
 */
final class ListedDay {

  private static final Instant FIRST = Instant.parse("2026-01-01T12:00:00Z");
  private static final AtomicInteger days = new AtomicInteger();

  final Instant noon = FIRST.plus(Duration.ofDays(days.getAndIncrement()));
  final AdjustableClock clock = new AdjustableClock(noon.plus(Duration.ofHours(1)) + "");
  final EventWriter writer;
  final DynamoEventList list;

  /**
   * @param reader the client of the list
   */
  ListedDay(Stores service, DynamoDbClient reader) {
    String table = service.name("EventsTable");
    writer = new EventWriter(service.dynamoDb(), table);
    list =
        new DynamoEventList(
            reader, table, clock, new SideBySide(Thread::startVirtualThread, 8), pause -> {});
  }

  UUID inLane(int lane, long number) {
    return new UUID(noon.getEpochSecond() << 16 | number, Long.MIN_VALUE + lane);
  }

  TestQuery of(String types) {
    return TestQuery.ofTypes(types)
        .from(noon.minus(Duration.ofHours(1)))
        .to(noon.plus(Duration.ofHours(1)));
  }

  List<EventPosition> all(TestQuery query, int limit) {
    return pages(query, limit).stream().flatMap(List::stream).toList();
  }

  List<List<EventPosition>> pages(TestQuery query, int limit) {
    List<List<EventPosition>> pages = new ArrayList<>();
    Optional<EventPosition> next = Optional.empty();
    do {
      EventPage page = page(query, next, limit);
      assertThat(page.entries()).hasSizeLessThanOrEqualTo(limit);
      assertThat(page.next().isPresent()).isEqualTo(page.hasMore());
      pages.add(positions(page));
      next = page.next();
    } while (next.isPresent());
    return pages;
  }

  EventPage page(TestQuery query, Optional<EventPosition> after, int limit) {
    Instant late = noon.plus(Duration.ofHours(2));
    return list.page(query.get(), Optional.empty(), after, late, limit);
  }

  EventPage feed(EventQuery query, Optional<EventPosition> after, Instant completeUntil) {
    return list.page(query, Optional.empty(), after, completeUntil, 100);
  }

  static List<EventPosition> positions(EventPage page) {
    return page.entries().stream()
        .map(entry -> ((EventPage.ListedEvent) entry).event())
        .map(event -> new EventPosition(event.createdAt(), event.id()))
        .toList();
  }
}
