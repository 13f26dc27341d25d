package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.Calls.call;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.dynamodb.Item;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

/**
 * Reads several items of a table by their {@code id}, consistently. DynamoDB may return only some
 * of them, at most 16 MB; the rest is asked for again.
 */
public final class BatchReads {

  /** DynamoDB's limit for one call. */
  public static final int MAX_KEYS = 100;

  /** Tries without any progress before the table counts as unavailable. */
  private static final int MAX_TRIES = 5;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final Consumer<Duration> pause;
  private final Optional<DoubleConsumer> readUnits;

  /**
   * @param pause waits for the given time
   * @param readUnits gets what each call costs; empty if nobody asks, and then DynamoDB is not
   *     asked
   */
  public BatchReads(
      DynamoDbClient dynamoDb,
      String table,
      Consumer<Duration> pause,
      Optional<DoubleConsumer> readUnits) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.pause = pause;
    this.readUnits = readUnits;
  }

  public BatchReads(DynamoDbClient dynamoDb, String table, Consumer<Duration> pause) {
    this(dynamoDb, table, pause, Optional.empty());
  }

  /**
   * What was read.
   *
   * @param items those that exist, by id
   * @param unread the ids that were left out, or for which there was no time
   */
  record Read(Map<String, Item> items, Set<String> unread) {}

  /**
   * The items that exist, by id.
   *
   * @param ids at most {@value #MAX_KEYS}, each once
   * @param attributes what to read of each item
   */
  public Map<String, Item> get(List<String> ids, KeysAndAttributes.Builder attributes) {
    return get(ids, attributes, ids, () -> false).items();
  }

  /**
   * Reads items for as long as there is time. Large items take more read units than DynamoDB gives
   * at once.
   *
   * @param ids at most {@value #MAX_KEYS}, each once
   * @param needed those of them for which it goes on all the same
   * @throws DependencyUnavailableException if it gets none of those that are needed
   */
  Read get(
      List<String> ids,
      KeysAndAttributes.Builder attributes,
      List<String> needed,
      BooleanSupplier isTimeUp) {
    Map<String, Item> items = new HashMap<>();
    Set<String> unread = new LinkedHashSet<>(ids);
    int tries = 0;
    while (!unread.isEmpty()) {
      List<String> missing = needed.stream().filter(unread::contains).toList();
      List<String> asked = isTimeUp.getAsBoolean() ? missing : List.copyOf(unread);
      if (asked.isEmpty()) {
        break;
      }
      try {
        waitBefore(tries);
        Read read = read(asked, attributes);
        items.putAll(read.items());
        // Not by the items that were found: a call may have processed only keys without an item.
        tries = read.unread().size() < asked.size() ? 0 : tries + 1;
        asked.stream().filter(id -> !read.unread().contains(id)).forEach(unread::remove);
      } catch (DependencyUnavailableException e) {
        if (missing.isEmpty()) {
          break; // what was read is a page
        }
        throw e;
      }
    }
    return new Read(items, unread);
  }

  /**
   * Waits after calls without any progress.
   *
   * @throws DependencyUnavailableException after too many
   */
  private void waitBefore(int tries) {
    if (tries == MAX_TRIES) {
      throw new DependencyUnavailableException("BatchGetItem on events returns too little");
    }
    if (tries > 0) {
      pause.accept(FIRST_PAUSE.multipliedBy(1L << (tries - 1)));
    }
  }

  /** Makes one call, of which DynamoDB may leave out some ids. */
  private Read read(List<String> ids, KeysAndAttributes.Builder attributes) {
    KeysAndAttributes asked =
        attributes
            .keys(ids.stream().map(id -> Map.of("id", fromS(id))).toList())
            .consistentRead(true)
            .build();
    BatchGetItemResponse read =
        call(
            "BatchGetItem on events",
            () ->
                dynamoDb.batchGetItem(get ->
                    get.requestItems(Map.of(table, asked)).returnConsumedCapacity(capacity())));
    read.consumedCapacity().forEach(this::meter);
    return new Read(
        read.responses().getOrDefault(table, List.of()).stream()
            .map(Item::new)
            .collect(toMap(item -> item.text("id"), item -> item)),
        Optional.ofNullable(read.unprocessedKeys().get(table)).stream()
            .flatMap(left -> left.keys().stream())
            .map(key -> new Item(key).text("id"))
            .collect(toSet()));
  }

  /** What to ask of the cost of a read. */
  public ReturnConsumedCapacity capacity() {
    return readUnits.isPresent() ? ReturnConsumedCapacity.TOTAL : ReturnConsumedCapacity.NONE;
  }

  /**
   * Tells what a read has cost.
   *
   * @param consumed null if the table does not say
   */
  public void meter(@Nullable ConsumedCapacity consumed) {
    if (consumed != null && consumed.capacityUnits() != null) {
      readUnits.ifPresent(it -> it.accept(consumed.capacityUnits()));
    }
  }
}
