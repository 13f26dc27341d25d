package dev.connectorevents.emulator.dynamodb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Capacity;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;

/**
 * Records the capacity that each put consumes. It is an interceptor of one client, or of every
 * client of the process if {@code execution.interceptors} among the resources names it.
 */
public final class CapacityMeter implements ExecutionInterceptor {

  /** The items of one write and its consumed capacity. */
  public record Write(List<Map<String, AttributeValue>> items, List<ConsumedCapacity> consumed) {

    /** Write units of the table itself. */
    public double tableUnits() {
      return consumed.stream().mapToDouble(each -> units(each.table())).sum();
    }

    /** Write units of one of its indexes. */
    public double indexUnits(String index) {
      return consumed.stream()
          .flatMap(each -> Optional.ofNullable(each.globalSecondaryIndexes().get(index)).stream())
          .mapToDouble(Write::units)
          .sum();
    }

    /** DynamoDB omits the kind of the units when a call has only one kind. */
    private static double units(Capacity capacity) {
      Double writes = capacity.writeCapacityUnits();
      return writes == null ? capacity.capacityUnits() : writes;
    }
  }

  // Static: the SDK creates the interceptors itself.
  private static final Queue<Write> WRITES = new ConcurrentLinkedQueue<>();

  /** The writes since the last call, of all clients with this interceptor. */
  public static List<Write> take() {
    List<Write> taken = new ArrayList<>();
    for (Write write = WRITES.poll(); write != null; write = WRITES.poll()) {
      taken.add(write);
    }
    return taken;
  }

  @Override
  public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
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
    if (context.request() instanceof PutItemRequest put
        && context.response() instanceof PutItemResponse done) {
      WRITES.add(new Write(List.of(put.item()), List.of(done.consumedCapacity())));
    }
    if (context.request() instanceof TransactWriteItemsRequest write
        && context.response() instanceof TransactWriteItemsResponse done) {
      WRITES.add(
          new Write(
              write.transactItems().stream().map(each -> each.put().item()).toList(),
              done.consumedCapacity()));
    }
  }
}
