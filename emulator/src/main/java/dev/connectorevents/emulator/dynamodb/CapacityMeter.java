package dev.connectorevents.emulator.dynamodb;

import java.lang.ScopedValue.CallableOp;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.Capacity;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;

/**
 * Records the capacity that puts and {@code INSERT}s consume. It leaves out a transaction that also
 * deletes or updates: the request does not have the sizes of these items, for which DynamoDB also
 * bills. The resource {@code execution.interceptors} adds it to every client of the process:
 * functions create their own clients.
 */
public final class CapacityMeter implements ExecutionInterceptor {

  /**
   * One write.
   *
   * @param tableUnits write units of the table itself
   * @param unitsByIndex write units of each of its indexes, by name
   */
  public record Write(
      List<Map<String, AttributeValue>> items,
      double tableUnits,
      Map<String, Double> unitsByIndex) {

    static Write of(Map<String, AttributeValue> item, ConsumedCapacity consumed) {
      return new Write(List.of(item), units(consumed.table()), unitsByIndex(List.of(consumed)));
    }

    static Write of(List<Map<String, AttributeValue>> items, List<ConsumedCapacity> consumed) {
      return new Write(items, WriteUnits.ofTransaction(items), unitsByIndex(consumed));
    }

    /** The write of an {@code INSERT}, for which DynamoDB Local reports no units. */
    static Write of(InsertStatement insert) {
      return new Write(
          List.of(insert.item()),
          WriteUnits.of(insert.item()),
          IndexEntries.units(insert.table(), insert.item()));
    }

    /** Write units of one of its indexes. */
    public double indexUnits(String index) {
      return unitsByIndex.getOrDefault(index, 0.0);
    }

    /** Write units of all its indexes. */
    public double indexUnits() {
      return unitsByIndex.values().stream().mapToDouble(units -> units).sum();
    }

    private static Map<String, Double> unitsByIndex(List<ConsumedCapacity> consumed) {
      return consumed.stream()
          .flatMap(each -> each.globalSecondaryIndexes().entrySet().stream())
          .collect(
              Collectors.toMap(Map.Entry::getKey, index -> units(index.getValue()), Double::sum));
    }

    /** DynamoDB omits the kind of the units when a call has only one kind. */
    private static double units(Capacity capacity) {
      Double writes = capacity.writeCapacityUnits();
      return writes == null ? capacity.capacityUnits() : writes;
    }
  }

  // The SDK creates the interceptors itself, and calls them in the caller's thread or in one that
  // the caller has started.
  private static final InheritableThreadLocal<Consumer<Write>> WRITES =
      new InheritableThreadLocal<>();

  /** Does the work; the consumer receives each of its writes, also from threads that it starts. */
  public static <T, X extends Throwable> T record(
      Consumer<Write> writes, CallableOp<? extends T, X> work) throws X {
    Consumer<Write> before = WRITES.get();
    WRITES.set(writes);
    try {
      return work.call();
    } finally {
      WRITES.set(before);
    }
  }

  @Override
  public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
    if (WRITES.get() == null) {
      return context.request();
    }
    return switch (context.request()) {
      case PutItemRequest put ->
          put.toBuilder().returnConsumedCapacity(ReturnConsumedCapacity.INDEXES).build();
      case TransactWriteItemsRequest write ->
          write.toBuilder().returnConsumedCapacity(ReturnConsumedCapacity.INDEXES).build();
      case SdkRequest other -> other;
    };
  }

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    Consumer<Write> writes = WRITES.get();
    if (writes == null) {
      return;
    }
    if (context.request() instanceof PutItemRequest put
        && context.response() instanceof PutItemResponse done) {
      writes.accept(Write.of(put.item(), done.consumedCapacity()));
    }
    if (context.request() instanceof TransactWriteItemsRequest write
        && write.transactItems().stream().allMatch(each -> each.put() != null)
        && context.response() instanceof TransactWriteItemsResponse done) {
      writes.accept(
          Write.of(
              write.transactItems().stream().map(each -> each.put().item()).toList(),
              done.consumedCapacity()));
    }
    if (context.request() instanceof BatchExecuteStatementRequest batch
        && context.response() instanceof BatchExecuteStatementResponse done) {
      for (int i = 0; i < done.responses().size(); i++) {
        if (done.responses().get(i).error() == null) {
          InsertStatement.of(batch.statements().get(i)).map(Write::of).ifPresent(writes);
        }
      }
    }
  }
}
