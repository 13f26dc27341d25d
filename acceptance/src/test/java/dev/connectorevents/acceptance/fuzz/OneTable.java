package dev.connectorevents.acceptance.fuzz;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Keeps the items of one table in memory, in the caller's thread. Each id is written once. */
final class OneTable implements DynamoDbClient {

  static final String NAME = "events";

  private final Map<String, Map<String, AttributeValue>> items = new ConcurrentHashMap<>();

  @Override
  public PutItemResponse putItem(PutItemRequest put) {
    Map<String, AttributeValue> there = items.putIfAbsent(id(put.item()), put.item());
    if (there != null) {
      throw ConditionalCheckFailedException.builder().item(there).build();
    }
    return PutItemResponse.builder().build();
  }

  @Override
  public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest write) {
    List<Map<String, AttributeValue>> written =
        write.transactItems().stream().map(each -> each.put().item()).toList();
    Map<String, AttributeValue> there = items.get(id(written.getFirst()));
    if (there != null) {
      throw TransactionCanceledException.builder()
          .cancellationReasons(
              CancellationReason.builder().code("ConditionalCheckFailed").item(there).build())
          .build();
    }
    written.forEach(item -> items.put(id(item), item));
    return TransactWriteItemsResponse.builder().build();
  }

  @Override
  public GetItemResponse getItem(GetItemRequest get) {
    return GetItemResponse.builder().item(item(get.key())).build();
  }

  @Override
  public BatchGetItemResponse batchGetItem(BatchGetItemRequest get) {
    List<Map<String, AttributeValue>> found =
        requireNonNull(get.requestItems().get(NAME)).keys().stream()
            .flatMap(key -> Stream.ofNullable(item(key)))
            .toList();
    return BatchGetItemResponse.builder().responses(Map.of(NAME, found)).build();
  }

  private @Nullable Map<String, AttributeValue> item(Map<String, AttributeValue> key) {
    return items.get(id(key));
  }

  private static String id(Map<String, AttributeValue> attributes) {
    return attributes.getOrDefault("id", AttributeValue.fromS("")).s();
  }

  @Override
  public String serviceName() {
    return SERVICE_NAME;
  }

  @Override
  public void close() {}
}
