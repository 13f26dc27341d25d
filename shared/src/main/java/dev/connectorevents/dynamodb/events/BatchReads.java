package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.Calls.call;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.dynamodb.Item;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

/**
 * Reads several items of a table by their {@code id}, consistently. DynamoDB may return only some
 * of them, at most 16 MB; the rest is asked for again.
 *
 * @param pause waits for the given time
 * @param readUnits gets what each call costs; empty if nobody asks, and then DynamoDB is not asked
 */
record BatchReads(
    DynamoDbClient dynamoDb,
    String table,
    Consumer<Duration> pause,
    Optional<DoubleConsumer> readUnits) {

  /** DynamoDB's limit for one call. */
  static final int MAX_KEYS = 100;

  /** Tries without any progress before the table counts as unavailable. */
  private static final int MAX_TRIES = 5;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

  BatchReads(DynamoDbClient dynamoDb, String table, Consumer<Duration> pause) {
    this(dynamoDb, table, pause, Optional.empty());
  }

  /**
   * The items that exist, by id.
   *
   * @param ids at most {@value #MAX_KEYS}, each once
   * @param attributes what to read of each item
   */
  Map<String, Item> get(List<String> ids, KeysAndAttributes.Builder attributes) {
    if (ids.isEmpty()) {
      return Map.of();
    }
    Map<String, Item> items = new HashMap<>();
    KeysAndAttributes wanted =
        attributes
            .keys(ids.stream().map(id -> Map.of("id", fromS(id))).toList())
            .consistentRead(true)
            .build();
    int tries = 0;
    while (wanted.hasKeys() && !wanted.keys().isEmpty()) {
      if (tries == MAX_TRIES) {
        throw new DependencyUnavailableException("BatchGetItem on events returns too little");
      }
      if (tries > 0) {
        pause.accept(FIRST_PAUSE.multipliedBy(1L << (tries - 1)));
      }
      KeysAndAttributes asked = wanted;
      BatchGetItemResponse read =
          call(
              "BatchGetItem on events",
              () ->
                  dynamoDb.batchGetItem(get ->
                      get.requestItems(Map.of(table, asked)).returnConsumedCapacity(capacity())));
      read.consumedCapacity().forEach(this::meter);
      List<Map<String, AttributeValue>> found = read.responses().getOrDefault(table, List.of());
      found.stream().map(Item::new).forEach(item -> items.put(item.text("id"), item));
      wanted = read.unprocessedKeys().getOrDefault(table, KeysAndAttributes.builder().build());
      // Not by the items that were found: a call may have processed only keys without an item.
      tries = wanted.keys().size() < asked.keys().size() ? 0 : tries + 1;
    }
    return items;
  }

  /** What to ask of the cost of a read. */
  ReturnConsumedCapacity capacity() {
    return readUnits.isPresent() ? ReturnConsumedCapacity.TOTAL : ReturnConsumedCapacity.NONE;
  }

  /**
   * Tells what a read has cost.
   *
   * @param consumed null if the table does not say
   */
  void meter(@Nullable ConsumedCapacity consumed) {
    if (consumed != null && consumed.capacityUnits() != null) {
      readUnits.ifPresent(it -> it.accept(consumed.capacityUnits()));
    }
  }
}
