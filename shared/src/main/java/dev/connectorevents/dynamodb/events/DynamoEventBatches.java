package dev.connectorevents.dynamodb.events;

import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.EventBatches;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.StoreOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
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

  /**
   * An event after its {@code INSERT}.
   *
   * @param outcome empty if the event is still to be stored, by itself
   */
  private record InsertResult(EventWrite event, Optional<StoreOutcome> outcome) {

    StoreOutcome orPut() {
      return outcome.orElseGet(() -> StoreOutcome.of(event.put()));
    }
  }

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

  @Override
  public List<StoreOutcome> store(List<EventToStore> toStore) {
    List<EventWrite> events = toStore.stream().map(this::pending).toList();
    List<List<InsertResult>> calls = sideBySide.run(split(events), this::insert);
    return sideBySide.run(calls.stream().flatMap(List::stream).toList(), InsertResult::orPut);
  }

  /** A defect in one event must not keep the others from being stored. */
  private EventWrite pending(EventToStore toStore) {
    try {
      return events.pending(toStore);
    } catch (RuntimeException e) {
      return new EventWrite(
          toStore.event(),
          Optional.empty(),
          () -> {
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

  /** Makes a call for several events. One alone takes its own write, which is one call too. */
  private List<InsertResult> insert(List<EventWrite> events) {
    if (events.size() == 1) {
      return all(events, Optional.empty());
    }
    try {
      List<Item> items = events.stream().map(event -> event.onlyItem().orElseThrow()).toList();
      return results(events, inserts.insert(items));
    } catch (AwsServiceException e) {
      // DynamoDB found the call invalid, and stored nothing. One event must not fail the others.
      return all(events, Optional.empty());
    } catch (RuntimeException e) {
      return all(events, Optional.of(new StoreOutcome.Unknown(e)));
    }
  }

  private static List<InsertResult> all(List<EventWrite> events, Optional<StoreOutcome> outcome) {
    return events.stream().map(event -> new InsertResult(event, outcome)).toList();
  }

  private List<InsertResult> results(
      List<EventWrite> events, List<BatchStatementResponse> answers) {
    if (answers.stream().anyMatch(DynamoEventBatches::isTrouble)) {
      pause.accept(PAUSE);
    }
    return IntStream.range(0, events.size())
        .mapToObj(i -> result(events.get(i), answers.get(i)))
        .toList();
  }

  private static InsertResult result(EventWrite event, BatchStatementResponse answer) {
    return answer.error() == null
        ? new InsertResult(event, Optional.of(new StoreOutcome.Stored(event.event())))
        : new InsertResult(event, Optional.empty());
  }

  /** Such as throttling: the SDK does not retry a part of a call. */
  private static boolean isTrouble(BatchStatementResponse answer) {
    BatchStatementError error = answer.error();
    return error != null && error.code() != BatchStatementErrorCodeEnum.DUPLICATE_ITEM;
  }
}
