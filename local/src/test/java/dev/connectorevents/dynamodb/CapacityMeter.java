package dev.connectorevents.dynamodb;

import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;

/** Asks DynamoDB what each write consumed, and adds up what the table itself did. */
final class CapacityMeter implements ExecutionInterceptor {

  private double tableUnits;

  double tableUnits() {
    return tableUnits;
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
      case PutItemResponse put -> tableUnits += put.consumedCapacity().table().capacityUnits();
      case TransactWriteItemsResponse write ->
          write
              .consumedCapacity()
              .forEach(consumed -> tableUnits += consumed.table().capacityUnits());
      default -> {}
    }
  }
}
