package dev.connectorevents.dynamodb.events;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.SideBySide;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.EventPage;
import dev.connectorevents.event.EventPosition;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventType;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * Checks {@code complete_until} while events reach the indexes late and out of order, and while
 * some of them are erased. Time runs twenty times faster, so that ten seconds of lag take half a
 * second.
 */
class EventListUnderLagTest {

  private static final int SPEED = 20;
  private static final int WRITERS = 8;
  private static final int READERS = 2;
  private static final int TYPES = 20;
  private static final int BRANDS = 5;
  private static final int EVENTS = Integer.getInteger("lag.events", 400);

  private static final Duration LAG = Duration.ofSeconds(10);
  private static final Duration LONGEST_WRITE = Duration.ofSeconds(15);

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));
  private static final String table = service.name("EventsTable");

  private final long start = System.nanoTime();
  private final Instant epoch = Instant.parse("2026-11-20T12:00:00Z");
  private final InstantSource clock = () -> epoch.plusNanos((System.nanoTime() - start) * SPEED);
  private final LateIndexes indexes = new LateIndexes();

  @AutoClose
  private final DynamoDbClient dynamoDb =
      service.settings().dynamoDbClient(client -> client.addExecutionInterceptor(indexes));

  private final EventWriter writer = new EventWriter(dynamoDb, table);
  private final Tombstones tombstones = new Tombstones(dynamoDb, table);
  private final Map<EventPosition, Span> erasures = new ConcurrentHashMap<>();
  private final DynamoEventList list =
      new DynamoEventList(
          dynamoDb, table, clock, new SideBySide(Thread::startVirtualThread, 8), pause -> {});

  private record Written(EventPosition position, int type, int brand) {}

  private record Span(Instant start, Instant end) {}

  /**
   * The events of all pages of a list that starts at {@code from}, as a poller reads them.
   *
   * @param completeUntil the list promises to be complete for events before this time
   * @param positions the positions of the events, in the list's order
   * @param span the time from the start of the reads to their end
   */
  private record Read(
      EventQuery query,
      Instant from,
      Instant completeUntil,
      List<EventPosition> positions,
      Span span) {}

  @Test
  void below_its_promise_a_list_misses_and_repeats_nothing() throws Exception {
    Set<Written> written = ConcurrentHashMap.newKeySet();
    List<Read> reads = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        Random random = new Random(i);
        writers.add(threads.submit(() -> write(random, written)));
      }
      List<Future<List<Read>>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        EventQuery.Filter filter = i % 2 == 0 ? type(i) : brand(i);
        readers.add(threads.submit(() -> poll(filter, writers)));
      }
      for (Future<List<Read>> reader : readers) {
        reads.addAll(reader.get());
      }
      for (Future<?> each : writers) {
        each.get();
      }
    }
    assertThat(written.size()).isGreaterThan(EVENTS * 9 / 10);
    assertThat(reads).hasSizeGreaterThan(READERS * 3);
    assertThat(erasures).hasSizeGreaterThan(EVENTS / 40);
    for (Read read : reads) {
      Set<EventPosition> expected = expected(read, written);
      assertThat(below(read))
          .containsAll(unless(expected, erased -> erased.start().isBefore(read.span().end())))
          .isSubsetOf(unless(expected, erased -> erased.end().isBefore(read.span().start())));
    }
  }

  @Test
  void an_event_that_comes_later_than_promised_is_in_a_later_list() throws Exception {
    EventQuery query =
        new EventQuery(
            new EventQuery.OfType(new EventType("late.0")), Optional.empty(), Optional.empty());
    EventPosition late = writer.store("late.0", Optional.empty(), now());
    indexes.visibleFrom.put(late.id().toString(), clock.instant().plus(LAG.multipliedBy(4)));

    assertThat(all(query)).isEmpty();
    Thread.sleep(LAG.multipliedBy(5).toMillis() / SPEED);

    assertThat(all(query)).containsExactly(late);
  }

  /**
   * Stores events, and erases about one in ten. If the write of an event takes longer than any
   * function may run, hides the event from the lists: {@code complete_until} promises nothing about
   * it.
   */
  private void write(Random random, Set<Written> written) {
    List<EventPosition> own = new ArrayList<>();
    for (int i = 0; i < EVENTS / WRITERS; i++) {
      int type = random.nextInt(TYPES);
      int brand = random.nextInt(BRANDS);
      Instant createdAt = now();
      EventPosition position = writer.store("lag." + type, Optional.of("lag-" + brand), createdAt);
      if (clock.instant().isBefore(createdAt.plus(LONGEST_WRITE))) {
        written.add(new Written(position, type, brand));
      } else {
        indexes.visibleFrom.put(position.id().toString(), Instant.MAX);
      }
      own.add(position);
      if (random.nextInt(10) == 0) {
        erase(own.remove(random.nextInt(own.size())));
      }
    }
  }

  private void erase(EventPosition event) {
    Instant start = clock.instant();
    tombstones.put(event.id());
    erasures.put(event, new Span(start, clock.instant()));
  }

  private Set<EventPosition> unless(Set<EventPosition> events, Predicate<Span> isErased) {
    return events.stream()
        .filter(event -> Optional.ofNullable(erasures.get(event)).filter(isErased).isEmpty())
        .collect(Collectors.toSet());
  }

  /**
   * Polls as {@code docs/reading-events.md} says: each list starts at the {@code complete_until} of
   * the previous list.
   */
  private List<Read> poll(EventQuery.Filter filter, List<Future<?>> writers) {
    List<Read> reads = new ArrayList<>();
    Instant from = epoch;
    boolean isLast;
    do {
      isLast = writers.stream().allMatch(Future::isDone);
      if (isLast) {
        pause(LAG.plus(LONGEST_WRITE).multipliedBy(2));
      }
      Instant start = clock.instant();
      Instant completeUntil = start.minus(LAG.plus(LONGEST_WRITE)).truncatedTo(ChronoUnit.MILLIS);
      EventQuery query = new EventQuery(filter, Optional.of(from), Optional.empty());
      List<EventPosition> positions = all(query);
      reads.add(new Read(query, from, completeUntil, positions, new Span(start, clock.instant())));
      from = completeUntil.isAfter(from) ? completeUntil : from;
      pause(Duration.ofSeconds(2));
    } while (!isLast);
    return reads;
  }

  private List<EventPosition> all(EventQuery query) {
    List<EventPosition> events = new ArrayList<>();
    Optional<EventPosition> next = Optional.empty();
    do {
      EventPage page = list.list(query, next, 20);
      page.events().stream()
          .map(EventPage.ListedEvent::event)
          .map(event -> new EventPosition(event.createdAt(), event.id()))
          .forEach(events::add);
      next = page.continueAfter();
    } while (next.isPresent());
    assertThat(new HashSet<>(events)).as("no event appears twice").hasSameSizeAs(events);
    assertThat(events).isSorted();
    return events;
  }

  private static Set<EventPosition> below(Read read) {
    return read.positions().stream()
        .filter(it -> it.createdAt().isBefore(read.completeUntil()))
        .collect(Collectors.toSet());
  }

  private static Set<EventPosition> expected(Read read, Set<Written> written) {
    return written.stream()
        .filter(it ->
            switch (read.query().filter()) {
              case EventQuery.OfType(EventType type) -> type.value().equals("lag." + it.type());
              case EventQuery.OfBrand(String brand) -> brand.equals("lag-" + it.brand());
            })
        .map(Written::position)
        .filter(it -> !it.createdAt().isBefore(read.from()))
        .filter(it -> it.createdAt().isBefore(read.completeUntil()))
        .collect(Collectors.toSet());
  }

  private static EventQuery.Filter type(int type) {
    return new EventQuery.OfType(new EventType("lag." + type));
  }

  private static EventQuery.Filter brand(int brand) {
    return new EventQuery.OfBrand("lag-" + brand);
  }

  /** The time, rounded down to ten milliseconds, so that many events have equal times. */
  private Instant now() {
    return Instant.ofEpochMilli(clock.instant().toEpochMilli() / 10 * 10);
  }

  private static void pause(Duration time) {
    try {
      Thread.sleep(time.toMillis() / SPEED);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Hides each event from queries for a random time after its write. */
  private final class LateIndexes implements ExecutionInterceptor {

    private final Map<String, Instant> visibleFrom = new ConcurrentHashMap<>();
    private final Random random = new Random(1);

    @Override
    public SdkResponse modifyResponse(
        Context.ModifyResponse context, ExecutionAttributes attributes) {
      if (!(context.response() instanceof QueryResponse query)) {
        return context.response();
      }
      List<Map<String, AttributeValue>> visible =
          query.items().stream()
              .filter(item -> isVisible(requireNonNull(item.get("id")).s()))
              .toList();
      return query.toBuilder().items(visible).build();
    }

    private boolean isVisible(String id) {
      return !clock.instant().isBefore(visibleFrom.getOrDefault(id, Instant.MAX));
    }

    @Override
    public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
      if (context.request() instanceof PutItemRequest put) {
        Instant visible = clock.instant().plusMillis(random.nextLong(LAG.toMillis()));
        visibleFrom.put(requireNonNull(put.item().get("id")).s(), visible);
      }
    }
  }
}
