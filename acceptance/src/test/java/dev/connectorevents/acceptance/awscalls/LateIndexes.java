package dev.connectorevents.acceptance.awscalls;

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
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * Hides a new event from queries for a random time: on AWS the indexes lag, in DynamoDB Local they
 * do not. Every DynamoDB client of the tests has this interceptor.
 */
public final class LateIndexes implements ExecutionInterceptor {

  /** The longest lag. It is zero unless a test sets it. */
  public static volatile Duration lag = Duration.ZERO;

  /** Whether the indexes stand still: a repeated query gets the same response as the first time. */
  public static volatile boolean areStopped;

  private static final Map<Map<String, AttributeValue>, QueryResponse> BEFORE =
      new ConcurrentHashMap<>();
  private static final Map<String, Instant> VISIBLE_FROM = new ConcurrentHashMap<>();
  private static final Random RANDOM = new Random(1);

  @Override
  public SdkResponse modifyResponse(
      Context.ModifyResponse context, ExecutionAttributes attributes) {
    if (areStopped
        && context.request() instanceof QueryRequest asked
        && context.response() instanceof QueryResponse now) {
      return BEFORE.computeIfAbsent(asked.expressionAttributeValues(), any -> now);
    }
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
      // A write whose answer is lost counts too, and its retry hides the event no longer.
      VISIBLE_FROM.putIfAbsent(id.s(), Instant.now().plusMillis(RANDOM.nextLong(lag.toMillis())));
    }
  }
}
