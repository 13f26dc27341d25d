package dev.connectorevents.bench.bill;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;

/** Has DynamoDB say what each write consumed, which the store itself has no need to know. */
final class CapacityRecorder implements ExecutionInterceptor {

  private final List<Write> writes = new ArrayList<>();

  /** All writes since the last call. */
  List<Write> take() {
    List<Write> taken = List.copyOf(writes);
    writes.clear();
    return taken;
  }

  @Override
  public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
    return switch (context.request()) {
      case PutItemRequest put ->
          put.toBuilder().returnConsumedCapacity(ReturnConsumedCapacity.INDEXES).build();
      case TransactWriteItemsRequest write ->
          write.toBuilder().returnConsumedCapacity(ReturnConsumedCapacity.INDEXES).build();
      default -> context.request();
    };
  }

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    switch (context.response()) {
      case PutItemResponse put ->
          writes.add(new Write(items(context.request()), List.of(put.consumedCapacity())));
      case TransactWriteItemsResponse write ->
          writes.add(new Write(items(context.request()), write.consumedCapacity()));
      default -> {}
    }
  }

  private static List<Map<String, AttributeValue>> items(SdkRequest request) {
    return switch (request) {
      case PutItemRequest put -> List.of(put.item());
      case TransactWriteItemsRequest write ->
          write.transactItems().stream()
              .flatMap(each -> Optional.ofNullable(each.put()).stream())
              .map(put -> put.item())
              .toList();
      default -> List.of();
    };
  }
}
