package dev.connectorevents.dynamodb.events;

import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.events.WriteTimes.WriteTime;
import dev.connectorevents.event.EventBatches;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.StoreOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementError;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementErrorCodeEnum;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;

/**
 * Stores new events with few calls: each call has up to {@value BatchInserts#MOST_ITEMS} {@code
 * INSERT}s of PartiQL, which succeed or fail independently.
 *
 * <p>An {@code INSERT} never replaces an item, but does not say which item is there. So an event
 * whose {@code INSERT} fails is then stored by itself, by the same conditional write as a single
 * event. An event of several items is stored by that write only, without an {@code INSERT}.
 */
public final class DynamoEventBatches implements EventBatches {

  /** After a throttled or failed statement, before the first write by itself. */
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final BatchInserts inserts;
  private final DynamoEvents events;
  private final WriteTimes times;
  private final SideBySide sideBySide;
  private final Consumer<Duration> pause;

  /**
   * @param events stores the events of the same table one by one
   * @param pause waits for the given time
   */
  public DynamoEventBatches(
      DynamoDbClient dynamoDb,
      String table,
      DynamoEvents events,
      WriteTimes times,
      SideBySide sideBySide,
      Consumer<Duration> pause) {
    this.inserts = new BatchInserts(dynamoDb, table);
    this.events = events;
    this.times = times;
    this.sideBySide = sideBySide;
    this.pause = pause;
  }

  @Override
  public List<StoreOutcome> store(List<EventToStore> toStore) {
    List<EventWrite> events = toStore.stream().map(this::pending).toList();
    List<List<Supplier<StoreOutcome>>> calls = sideBySide.run(split(events), this::insert);
    return sideBySide.run(calls.stream().flatMap(List::stream).toList(), Supplier::get);
  }

  /** A defect in one event must not keep the others from being stored. */
  private EventWrite pending(EventToStore toStore) {
    try {
      return events.pending(toStore);
    } catch (RuntimeException e) {
      return new EventWrite(
          Optional.empty(),
          time -> {
            throw e;
          });
    }
  }

  /** The events of each call, in their order. An event of several items has a call of its own. */
  static List<List<EventWrite>> split(List<EventWrite> events) {
    List<List<EventWrite>> calls = new ArrayList<>();
    long bytes = 0;
    for (EventWrite event : events) {
      long size = event.onlyItem().map(ItemSize::of).orElse(BatchInserts.MOST_BYTES);
      if (calls.isEmpty()
          || calls.getLast().size() == BatchInserts.MOST_ITEMS
          || bytes + size > BatchInserts.MOST_BYTES) {
        calls.add(new ArrayList<>());
        bytes = 0;
      }
      calls.getLast().add(event);
      bytes += size;
    }
    return calls;
  }

  /**
   * Makes a call for several events. One alone takes its own write, which is one call too.
   *
   * @return for each event, what its outcome is, or how to find it out
   */
  private List<Supplier<StoreOutcome>> insert(List<EventWrite> writes) {
    if (writes.size() == 1) {
      return List.of(() -> StoreOutcome.of(() -> events.put(writes.getFirst())));
    }
    WriteTime time = times.begin();
    List<EventWrite.Begun> begun = writes.stream().map(write -> write.begin().apply(time)).toList();
    List<Item> items = writes.stream().map(write -> write.onlyItem().orElseThrow()).toList();
    try {
      return results(begun, time.deadline().bound(() -> inserts.insert(items)));
    } catch (AwsServiceException e) {
      // DynamoDB found the call invalid, and stored nothing. One event must not fail the others.
      return begun.stream().map(DynamoEventBatches::alone).toList();
    } catch (RuntimeException e) {
      return Collections.nCopies(writes.size(), () -> new StoreOutcome.Unknown(e));
    }
  }

  private List<Supplier<StoreOutcome>> results(
      List<EventWrite.Begun> events, List<BatchStatementResponse> answers) {
    if (answers.stream().anyMatch(DynamoEventBatches::isTrouble)) {
      pause.accept(PAUSE);
    }
    return IntStream.range(0, events.size())
        .mapToObj(i -> result(events.get(i), answers.get(i)))
        .toList();
  }

  private static Supplier<StoreOutcome> result(
      EventWrite.Begun event, BatchStatementResponse answer) {
    return answer.error() == null ? () -> new StoreOutcome.Stored(event.event()) : alone(event);
  }

  /** Stores the event by itself, with the time that its {@code INSERT} had, and by its deadline. */
  private static Supplier<StoreOutcome> alone(EventWrite.Begun event) {
    return () -> StoreOutcome.of(event.put());
  }

  /** Such as throttling: the SDK does not retry a part of a call. */
  private static boolean isTrouble(BatchStatementResponse answer) {
    BatchStatementError error = answer.error();
    return error != null && error.code() != BatchStatementErrorCodeEnum.DUPLICATE_ITEM;
  }
}
