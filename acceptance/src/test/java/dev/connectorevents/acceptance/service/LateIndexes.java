package dev.connectorevents.acceptance.service;

import dev.connectorevents.emulator.dynamodb.InsertStatement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * An SDK interceptor that simulates the lag of indexes on AWS: it hides a new event from queries
 * for a random time. The indexes of DynamoDB Local do not lag. The test resource {@code
 * execution.interceptors} makes the SDK add the interceptor to every DynamoDB client.
 */
public final class LateIndexes implements ExecutionInterceptor {

  /** The upper bound of the lag. Unless a test sets it, it is zero: indexes do not lag. */
  public static volatile Duration lag = Duration.ZERO;

  /** When each entry is visible. {@link Instant#MAX} while its write is under way. */
  private static final Map<Entry, Instant> VISIBLE_FROM = new ConcurrentHashMap<>();

  private static volatile InstantSource clock = InstantSource.system();
  private static volatile Random random = new Random(1);

  /** An entry of an index. A tombstone has its event's id, and a time of its own. */
  private record Entry(String id, String createdAt) {

    static Optional<Entry> of(Map<String, AttributeValue> item) {
      return item.containsKey("id") && item.containsKey("created_at")
          ? Optional.of(new Entry(item.get("id").s(), item.get("created_at").s()))
          : Optional.empty();
    }
  }

  /** Lets indexes lag by a test's clock, for times that follow from a seed. */
  public static void lagBy(Duration longest, InstantSource time, long seed) {
    VISIBLE_FROM.clear();
    random = new Random(seed);
    clock = time;
    lag = longest;
  }

  /** Lets indexes lag no more. */
  public static void catchUp() {
    lagBy(Duration.ZERO, InstantSource.system(), 1);
  }

  @Override
  public SdkResponse modifyResponse(
      Context.ModifyResponse context, ExecutionAttributes attributes) {
    if (lag.isZero() || !(context.response() instanceof QueryResponse query)) {
      return context.response();
    }
    Instant now = clock.instant();
    List<Map<String, AttributeValue>> visible =
        query.items().stream().filter(item -> isVisible(item, now)).toList();
    return query.toBuilder().items(visible).build();
  }

  private static boolean isVisible(Map<String, AttributeValue> item, Instant now) {
    return Entry.of(item).map(VISIBLE_FROM::get).filter(now::isBefore).isEmpty();
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    if (!lag.isZero()) {
      // The lag begins with the first write, even if its answer is lost: a retry extends nothing.
      written(context.request()).forEach(entry -> VISIBLE_FROM.putIfAbsent(entry, Instant.MAX));
    }
  }

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    show(context.request());
  }

  @Override
  public void onExecutionFailure(Context.FailedExecution context, ExecutionAttributes attributes) {
    show(context.request());
  }

  private static void show(SdkRequest request) {
    if (!lag.isZero()) {
      written(request)
          .forEach(entry ->
              VISIBLE_FROM.computeIfPresent(
                  entry,
                  (it, from) ->
                      from.equals(Instant.MAX)
                          ? clock.instant().plusMillis(random.nextLong(lag.toMillis()))
                          : from));
    }
  }

  private static List<Entry> written(SdkRequest request) {
    return items(request).flatMap(item -> Entry.of(item).stream()).toList();
  }

  private static Stream<Map<String, AttributeValue>> items(SdkRequest request) {
    return switch (request) {
      case PutItemRequest put -> Stream.of(put.item());
      case TransactWriteItemsRequest write ->
          write.transactItems().stream()
              .filter(item -> item.put() != null)
              .map(item -> item.put().item());
      case BatchExecuteStatementRequest batch ->
          batch.statements().stream()
              .flatMap(statement -> InsertStatement.of(statement).stream())
              .map(InsertStatement::item);
      default -> Stream.empty(); // writes no event
    };
  }
}
