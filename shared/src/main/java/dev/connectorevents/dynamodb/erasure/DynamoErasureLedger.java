package dev.connectorevents.dynamodb.erasure;

import static dev.connectorevents.dynamodb.Calls.call;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.dynamodb.Condition;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.erasure.Erasure;
import dev.connectorevents.erasure.ErasureLedger;
import dev.connectorevents.feed.Whole;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Keeps the proofs of erasures in a table: the erasure in the item {@code <erasure_id>}, each step
 * in {@code <erasure_id>#<number>}, and each run in {@code run#<id>}.
 */
public final class DynamoErasureLedger implements ErasureLedger {

  private static final String IS_OPEN =
      "attribute_exists(%s) AND attribute_not_exists(%s)"
          .formatted(ErasureItem.BEGUN, ErasureItem.ENDED);

  private static final String HAS_NOT_READ =
      IS_OPEN + " AND attribute_not_exists(" + ErasureItem.WHOLE + ")";

  private static final String IS_NOT_CLOSED = "attribute_not_exists(" + ErasureItem.CHAIN + ")";

  private final DynamoDbClient dynamoDb;
  private final String table;

  public DynamoErasureLedger(DynamoDbClient dynamoDb, String table) {
    this.dynamoDb = dynamoDb;
    this.table = table;
  }

  @Override
  public void begin(Erasure erasure) {
    put(ErasureItem.of(erasure), put -> {});
  }

  @Override
  public Optional<Whole> rest(UUID erasureId, Whole whole) {
    boolean isFirst = update(erasureId.toString(), HAS_NOT_READ, ErasureItem.of(whole));
    return isFirst ? Optional.of(whole) : find(erasureId).flatMap(Erasure::whole);
  }

  @Override
  public boolean addNotJudged(UUID erasureId, Set<UUID> ids) {
    Set<UUID> all = new HashSet<>(ids);
    find(erasureId).map(Erasure::notJudged).ifPresent(all::addAll);
    if (all.size() > Erasure.MAX_NOT_JUDGED) {
      return false;
    }
    updateIf(
        IS_OPEN,
        update ->
            update
                .key(key(erasureId.toString()))
                .updateExpression("ADD " + ErasureItem.NOT_JUDGED + " :ids")
                .expressionAttributeValues(Map.of(":ids", ErasureItem.setOf(ids))));
    return true;
  }

  @Override
  public void end(UUID erasureId, Erasure.Proof proof, Set<UUID> judged) {
    update(erasureId.toString(), IS_OPEN, ErasureItem.of(proof), judged);
  }

  @Override
  public Closed close(UUID erasureId, int number, Set<UUID> erased, Closed closed) {
    boolean isClosed =
        update(stepId(erasureId, number), IS_NOT_CLOSED, ErasureItem.of(erased, closed));
    return isClosed ? closed : step(erasureId, number).flatMap(Step::closed).orElseThrow();
  }

  /** Sets attributes of an item if a condition holds. Returns whether it does. */
  private boolean update(String id, String condition, Item attributes) {
    return update(id, condition, attributes, Set.of());
  }

  private boolean update(String id, String condition, Item attributes, Set<UUID> judged) {
    List<String> names = List.copyOf(attributes.attributes().keySet());
    return updateIf(
        condition,
        update ->
            update
                .key(key(id))
                .updateExpression(
                    names.stream()
                        .map(name -> "#" + name + " = :" + name)
                        .collect(Collectors.joining(", ", "SET ", deletion(judged))))
                .expressionAttributeNames(Condition.placeholders(names))
                .expressionAttributeValues(
                    Stream.concat(
                            attributes.attributes().entrySet().stream(),
                            ErasureItem.notJudged(judged).attributes().entrySet().stream())
                        .collect(Collectors.toMap(it -> ":" + it.getKey(), Map.Entry::getValue))));
  }

  private static String deletion(Set<UUID> judged) {
    return judged.isEmpty() ? "" : " DELETE %1$s :%1$s".formatted(ErasureItem.NOT_JUDGED);
  }

  /** Returns false also if the SDK has retried a write that had succeeded. */
  private boolean updateIf(String condition, Consumer<UpdateItemRequest.Builder> change) {
    try {
      call(
          "UpdateItem on erasures",
          () ->
              dynamoDb.updateItem(
                  update -> change.accept(update.tableName(table).conditionExpression(condition))));
      return true;
    } catch (ConditionalCheckFailedException e) {
      return false;
    }
  }

  @Override
  public Optional<Erasure> find(UUID erasureId) {
    return get(erasureId.toString()).map(ErasureItem::erasure);
  }

  @Override
  public Page list(Optional<String> after) {
    ScanResponse read =
        call(
            "Scan on erasures",
            () ->
                dynamoDb.scan(scan -> {
                  scan.tableName(table)
                      .consistentRead(true)
                      .filterExpression("attribute_exists(" + ErasureItem.SELECTOR + ")");
                  after.ifPresent(id -> scan.exclusiveStartKey(key(id)));
                }));
    return new Page(
        read.items().stream().map(Item::new).map(ErasureItem::erasure).toList(),
        Item.afterPage(read.lastEvaluatedKey()).map(key -> key.text("id")));
  }

  @Override
  public Step add(UUID erasureId, int number, Step step) {
    try {
      put(
          ErasureItem.of(stepId(erasureId, number), step),
          put ->
              put.conditionExpression("attribute_not_exists(id)")
                  .returnValuesOnConditionCheckFailure(
                      ReturnValuesOnConditionCheckFailure.ALL_OLD));
      return step;
    } catch (ConditionalCheckFailedException e) {
      return ErasureItem.step(new Item(e.item()));
    }
  }

  @Override
  public void begin(Run run) {
    put(ErasureItem.of(run), put -> {});
  }

  @Override
  public Optional<Run> run(UUID id) {
    return get(ErasureItem.runId(id)).map(item -> ErasureItem.run(id, item));
  }

  @Override
  public Run move(Run run, Optional<String> next) {
    Run moved = run.after(next);
    try {
      put(
          ErasureItem.of(moved),
          put ->
              put.conditionExpression("#step = :step")
                  .expressionAttributeNames(Map.of("#step", ErasureItem.STEP))
                  .expressionAttributeValues(Map.of(":step", fromN("" + run.step()))));
      return moved;
    } catch (ConditionalCheckFailedException e) { // another call, or a retry of this write
      return run(run.id()).orElseThrow();
    }
  }

  private void put(Item item, Consumer<PutItemRequest.Builder> more) {
    call(
        "PutItem on erasures",
        () -> dynamoDb.putItem(put -> more.accept(put.tableName(table).item(item.attributes()))));
  }

  @Override
  public Optional<Step> step(UUID erasureId, int number) {
    return get(stepId(erasureId, number)).map(ErasureItem::step);
  }

  private Optional<Item> get(String id) {
    GetItemResponse read =
        call(
            "GetItem on erasures",
            () -> dynamoDb.getItem(get -> get.tableName(table).key(key(id)).consistentRead(true)));
    return read.hasItem() ? Optional.of(new Item(read.item())) : Optional.empty();
  }

  private static Map<String, AttributeValue> key(String id) {
    return Map.of("id", fromS(id));
  }

  private static String stepId(UUID erasureId, int number) {
    return erasureId + "#" + number;
  }
}
