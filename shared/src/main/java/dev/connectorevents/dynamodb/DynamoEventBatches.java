package dev.connectorevents.dynamodb;

import static dev.connectorevents.dynamodb.Calls.call;
import static java.util.stream.Collectors.joining;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.SideBySide;
import dev.connectorevents.event.EventBatches;
import dev.connectorevents.event.StoreAttempt;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.event.Submission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementError;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementErrorCodeEnum;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;

/**
 * Stores new events with few calls: each call has up to {@value #MOST_STATEMENTS} {@code INSERT}s
 * of PartiQL, which succeed or fail independently.
 *
 * <p>An {@code INSERT} never replaces an item, but does not say which item is there. So an event
 * whose {@code INSERT} fails is then stored by itself, by the same conditional write as a single
 * event. An event of several items goes there at once.
 */
public final class DynamoEventBatches implements EventBatches {

  /**
   * The most statements in a call (DynamoDB API Reference, <a
   * href="https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchExecuteStatement.html">
   * BatchExecuteStatement</a>).
   */
  private static final int MOST_STATEMENTS = 25;

  /** The most bytes of items in a call. Our choice: one try of a call has 2.5 s. */
  private static final long MOST_BYTES = 4 * 1024 * 1024;

  /** After a throttled or failed statement, before the first write by itself. */
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final DynamoDbClient dynamoDb;
  private final String table;
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
    this.dynamoDb = dynamoDb;
    this.table = table;
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
      long size = event.onlyItem().map(ItemSize::of).orElse(MOST_BYTES);
      if (calls.isEmpty()
          || calls.getLast().size() == MOST_STATEMENTS
          || bytes + size > MOST_BYTES) {
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
      return List.of(put(events.getFirst())); // one call too, whatever its outcome
    }
    try {
      return remaining(events, execute(events));
    } catch (AwsServiceException e) {
      // DynamoDB found the call invalid, and stored nothing. One event must not fail the others.
      return events.stream().map(DynamoEventBatches::put).toList();
    } catch (RuntimeException e) {
      return events.stream().map(event -> done(new StoreAttempt.Failed(e))).toList();
    }
  }

  private List<BatchStatementResponse> execute(List<PendingEvent> events) {
    List<BatchStatementRequest> inserts =
        events.stream().map(event -> statement(event.onlyItem().orElseThrow())).toList();
    BatchExecuteStatementResponse answer =
        call(
            "BatchExecuteStatement on events",
            () -> dynamoDb.batchExecuteStatement(batch -> batch.statements(inserts)));
    if (answer.responses().size() < events.size()) {
      throw new DependencyUnavailableException(
          "BatchExecuteStatement on events returns too little");
    }
    return answer.responses();
  }

  /** Its text depends on the names of the attributes only. What a sender wrote is a parameter. */
  private BatchStatementRequest statement(Item item) {
    Map<String, AttributeValue> attributes = new TreeMap<>(item.attributes());
    String members =
        attributes.keySet().stream().map(name -> "'" + name + "': ?").collect(joining(", "));
    return BatchStatementRequest.builder()
        .statement("INSERT INTO \"" + table + "\" VALUE {" + members + "}")
        .parameters(attributes.values())
        .build();
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
