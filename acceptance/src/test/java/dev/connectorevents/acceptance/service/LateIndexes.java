package dev.connectorevents.acceptance.service;

import static java.util.Objects.requireNonNull;

import dev.connectorevents.emulator.dynamodb.InsertStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
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

  private static final Map<String, Instant> VISIBLE_FROM = new ConcurrentHashMap<>();
  private static final Random RANDOM = new Random(1);

  @Override
  public SdkResponse modifyResponse(
      Context.ModifyResponse context, ExecutionAttributes attributes) {
    if (lag.isZero() || !(context.response() instanceof QueryResponse query)) {
      return context.response();
    }
    Instant now = Instant.now();
    List<Map<String, AttributeValue>> visible =
        query.items().stream()
            .filter(item ->
                !now.isBefore(
                    VISIBLE_FROM.getOrDefault(requireNonNull(item.get("id")).s(), Instant.MAX)))
            .toList();
    return query.toBuilder().items(visible).build();
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    if (lag.isZero()) {
      return;
    }
    switch (context.request()) {
      case PutItemRequest put -> delay(put.item());
      case TransactWriteItemsRequest write ->
          write.transactItems().stream()
              .filter(item -> item.put() != null)
              .forEach(item -> delay(item.put().item()));
      case BatchExecuteStatementRequest batch ->
          batch.statements().stream()
              .flatMap(statement -> InsertStatement.of(statement).stream())
              .forEach(insert -> delay(insert.item()));
      default -> {} // writes no event
    }
  }

  private static void delay(Map<String, AttributeValue> item) {
    AttributeValue id = item.get("id");
    if (id != null) {
      // The lag begins with the first write, even if its answer is lost: a retry extends nothing.
      VISIBLE_FROM.putIfAbsent(id.s(), Instant.now().plusMillis(RANDOM.nextLong(lag.toMillis())));
    }
  }
}
