package dev.connectorevents.dynamodb.events;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;

/**
 * A client of DynamoDB that counts writes, lets a test check them, and answer calls of {@code
 * BatchExecuteStatement}.
 */
final class HookedDynamoDb implements DynamoDbClient {

  /**
   * Answers a call of {@code BatchExecuteStatement} in place of DynamoDB, or passes the call on.
   */
  interface Hook {
    BatchExecuteStatementResponse answer(BatchExecuteStatementRequest call, DynamoDbClient real);
  }

  final List<BatchExecuteStatementRequest> batches = new CopyOnWriteArrayList<>();
  final AtomicInteger puts = new AtomicInteger();
  final AtomicInteger transactions = new AtomicInteger();

  /** Runs before each write, in its thread. */
  Runnable beforeWrite = () -> {};

  Hook hook = (call, real) -> real.batchExecuteStatement(call);

  private final DynamoDbClient real;

  HookedDynamoDb(DynamoDbClient real) {
    this.real = real;
  }

  @Override
  public BatchExecuteStatementResponse batchExecuteStatement(BatchExecuteStatementRequest call) {
    beforeWrite.run();
    batches.add(call);
    return hook.answer(call, real);
  }

  @Override
  public PutItemResponse putItem(PutItemRequest call) {
    beforeWrite.run();
    puts.incrementAndGet();
    return real.putItem(call);
  }

  @Override
  public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest call) {
    beforeWrite.run();
    transactions.incrementAndGet();
    return real.transactWriteItems(call);
  }

  @Override
  public String serviceName() {
    return "dynamodb";
  }

  @Override
  public void close() {
    // The test closes the real client.
  }
}
