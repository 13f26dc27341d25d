package dev.connectorevents.dynamodb.events;

import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.EventBatches;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.StoreOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
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
      SideBySide sideBySide,
      Consumer<Duration> pause) {
    this.inserts = new BatchInserts(dynamoDb, table);
    this.events = events;
    this.sideBySide = sideBySide;
    this.pause = pause;
  }

  /** A defect in one event must not keep the others from being stored. */
  @Override
  public List<StoreOutcome> store(List<EventToStore> toStore) {
    List<Optional<StoreOutcome>> defects = new ArrayList<>();
    List<EventWrite> writes = new ArrayList<>();
    for (EventToStore each : toStore) {
      try {
        writes.add(events.write(each));
        defects.add(Optional.empty());
      } catch (RuntimeException e) {
        defects.add(Optional.of(new StoreOutcome.Unknown(e)));
      }
    }
    Iterator<StoreOutcome> outcomes = write(writes).iterator();
    return defects.stream().map(defect -> defect.orElseGet(outcomes::next)).toList();
  }

  private List<StoreOutcome> write(List<EventWrite> writes) {
    List<List<Supplier<StoreOutcome>>> calls = sideBySide.run(split(writes), this::insert);
    return sideBySide.run(calls.stream().flatMap(List::stream).toList(), Supplier::get);
  }

  /** The events of each call, in their order. An event of several items has a call of its own. */
  static List<List<EventWrite>> split(List<EventWrite> events) {
    List<List<EventWrite>> calls = new ArrayList<>();
    long bytes = 0;
    for (EventWrite event : events) {
      long size = event.hasOneItem() ? event.size() : BatchInserts.MOST_BYTES;
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
      return List.of(alone(writes.getFirst()));
    }
    List<Item> items = writes.stream().map(write -> write.items().getFirst()).toList();
    try {
      return results(writes, inserts.insert(items));
    } catch (AwsServiceException e) {
      // DynamoDB found the call invalid, and stored nothing. One event must not fail the others.
      return writes.stream().map(this::alone).toList();
    } catch (RuntimeException e) {
      return Collections.nCopies(writes.size(), () -> new StoreOutcome.Unknown(e));
    }
  }

  private List<Supplier<StoreOutcome>> results(
      List<EventWrite> writes, List<BatchStatementResponse> answers) {
    if (answers.stream().anyMatch(DynamoEventBatches::isTrouble)) {
      pause.accept(PAUSE);
    }
    return IntStream.range(0, writes.size())
        .mapToObj(i -> result(writes.get(i), answers.get(i)))
        .toList();
  }

  private Supplier<StoreOutcome> result(EventWrite write, BatchStatementResponse answer) {
    return answer.error() == null ? () -> new StoreOutcome.Stored(write.event()) : alone(write);
  }

  /** Stores the event by itself. */
  private Supplier<StoreOutcome> alone(EventWrite write) {
    return () -> StoreOutcome.of(() -> events.put(write));
  }

  /** Such as throttling: the SDK does not retry a part of a call. */
  private static boolean isTrouble(BatchStatementResponse answer) {
    BatchStatementError error = answer.error();
    return error != null && error.code() != BatchStatementErrorCodeEnum.DUPLICATE_ITEM;
  }
}
