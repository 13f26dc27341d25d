package dev.connectorevents.dynamodb;

import dev.connectorevents.SideBySide;
import dev.connectorevents.event.EventBatches;
import dev.connectorevents.event.StoreAttempt;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.event.Submission;
import java.time.Duration;
import java.util.ArrayList;
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

  @Override
  public List<StoreAttempt> store(List<Submission> submissions) {
    List<PendingEvent> pending = submissions.stream().map(this::pending).toList();
    List<List<Supplier<StoreAttempt>>> remaining =
        sideBySide.run(
            split(pending).stream()
                .<Supplier<List<Supplier<StoreAttempt>>>>map(call -> () -> insert(call))
                .toList());
    return sideBySide.run(remaining.stream().flatMap(List::stream).toList());
  }

  /** A defect in one event must not keep the others from being stored. */
  private PendingEvent pending(Submission submission) {
    try {
      return events.pending(submission);
    } catch (RuntimeException e) {
      return new PendingEvent(
          submission.event(),
          Optional.empty(),
          () -> {
            throw e;
          });
    }
  }

  /** The events of each call, in their order. An event of several items has a call of its own. */
  static List<List<PendingEvent>> split(List<PendingEvent> events) {
    List<List<PendingEvent>> calls = new ArrayList<>();
    long bytes = 0;
    for (PendingEvent event : events) {
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

  /** Makes the call; returns what is left to do for each event. */
  private List<Supplier<StoreAttempt>> insert(List<PendingEvent> events) {
    if (events.size() == 1) {
      return List.of(put(events.getFirst())); // also one call, and a failure needs no second one
    }
    try {
      List<Item> items = events.stream().map(event -> event.onlyItem().orElseThrow()).toList();
      return remaining(events, inserts.insert(items));
    } catch (AwsServiceException e) {
      // DynamoDB found the call invalid, and stored nothing. One event must not fail the others.
      return events.stream().map(DynamoEventBatches::put).toList();
    } catch (RuntimeException e) {
      return events.stream().map(event -> done(new StoreAttempt.Failed(e))).toList();
    }
  }

  private List<Supplier<StoreAttempt>> remaining(
      List<PendingEvent> events, List<BatchStatementResponse> answers) {
    if (answers.stream().anyMatch(DynamoEventBatches::isTrouble)) {
      pause.accept(PAUSE);
    }
    return IntStream.range(0, events.size())
        .mapToObj(i ->
            answers.get(i).error() == null
                ? done(new StoreAttempt.Done(new StoreOutcome.Stored(events.get(i).event())))
                : put(events.get(i)))
        .toList();
  }

  /** Such as throttling: the SDK does not retry a part of a call. */
  private static boolean isTrouble(BatchStatementResponse answer) {
    BatchStatementError error = answer.error();
    return error != null && error.code() != BatchStatementErrorCodeEnum.DUPLICATE_ITEM;
  }

  private static Supplier<StoreAttempt> put(PendingEvent event) {
    return () -> StoreAttempt.of(event.put());
  }

  private static Supplier<StoreAttempt> done(StoreAttempt attempt) {
    return () -> attempt;
  }
}
