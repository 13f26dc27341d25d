package dev.connectorevents.dynamodb.erasures;

import static dev.connectorevents.dynamodb.Calls.call;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Keeps the proofs of erasures in a table: the erasure in the item {@code <erasure_id>}, each page
 * of ids in the item {@code <erasure_id>#<page>}, and each block of digests in {@code
 * <erasure_id>#digests#<block>}.
 */
public final class DynamoErasureLedger implements ErasureLedger {

  private static final String IS_OPEN =
      "attribute_exists(%s) AND attribute_not_exists(%s)"
          .formatted(ErasureItem.BEGUN, ErasureItem.ENDED);

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
  public boolean addNotJudged(UUID erasureId, Set<UUID> ids) {
    Set<UUID> all = new HashSet<>(ids);
    find(erasureId).map(Erasure::notJudged).ifPresent(all::addAll);
    if (all.size() > Erasure.MAX_NOT_JUDGED) {
      return false;
    }
    update(
        erasureId,
        update ->
            update
                .updateExpression("ADD " + ErasureItem.NOT_JUDGED + " :ids")
                .expressionAttributeValues(Map.of(":ids", ErasureItem.setOf(ids))));
    return true;
  }

  @Override
  public void end(UUID erasureId, Erasure.Proof proof) {
    update(
        erasureId,
        update ->
            update
                .updateExpression(
                    "SET %s = :ended, #count = :count, %s = :sha256, %s = :until"
                        .formatted(
                            ErasureItem.ENDED, ErasureItem.IDS_SHA256, ErasureItem.BACKUPS_UNTIL))
                .expressionAttributeNames(Map.of("#count", ErasureItem.COUNT)) // a reserved word
                .expressionAttributeValues(
                    Map.of(
                        ":ended", fromS(proof.ended().toString()),
                        ":count", fromN(Integer.toString(proof.count())),
                        ":sha256", fromS(proof.idsSha256()),
                        ":until", fromS(proof.backupsUntil().toString()))));
  }

  /** Changes the item of an erasure unless it has ended: a proof stays as it is. */
  private void update(UUID erasureId, Consumer<UpdateItemRequest.Builder> change) {
    try {
      call(
          "UpdateItem on erasures",
          () ->
              dynamoDb.updateItem(update ->
                  change.accept(
                      update
                          .tableName(table)
                          .key(key(erasureId.toString()))
                          .conditionExpression(IS_OPEN))));
    } catch (ConditionalCheckFailedException e) {
      // Another call has ended it, or the SDK has retried a write that had succeeded.
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
                      .filterExpression("attribute_exists(" + ErasureItem.BEGUN + ")");
                  after.ifPresent(id -> scan.exclusiveStartKey(key(id)));
                }));
    return new Page(
        read.items().stream().map(Item::new).map(ErasureItem::erasure).toList(),
        read.hasLastEvaluatedKey() && !read.lastEvaluatedKey().isEmpty()
            ? Optional.of(new Item(read.lastEvaluatedKey()).text("id"))
            : Optional.empty());
  }

  @Override
  public Optional<Entry> add(UUID erasureId, int page, Entry entry) {
    return putIf("attribute_not_exists(id)", ErasureItem.of(pageId(erasureId, page), entry))
        .map(ErasureItem::entry);
  }

  @Override
  public Entry.Checked check(UUID erasureId, int page, Entry.Checked checked) {
    return putIf(
            "attribute_not_exists(" + ErasureItem.SHA256 + ")",
            ErasureItem.of(pageId(erasureId, page), checked))
        .map(ErasureItem::checked)
        .orElse(checked);
  }

  /** Puts an item if a condition holds. Otherwise returns the item that is there. */
  private Optional<Item> putIf(String condition, Item item) {
    try {
      put(
          item,
          put ->
              put.conditionExpression(condition)
                  .returnValuesOnConditionCheckFailure(
                      ReturnValuesOnConditionCheckFailure.ALL_OLD));
      return Optional.empty();
    } catch (ConditionalCheckFailedException e) {
      return Optional.of(new Item(e.item()));
    }
  }

  private void put(Item item, Consumer<PutItemRequest.Builder> more) {
    call(
        "PutItem on erasures",
        () -> dynamoDb.putItem(put -> more.accept(put.tableName(table).item(item.attributes()))));
  }

  @Override
  public Optional<Entry> entry(UUID erasureId, int page) {
    return get(pageId(erasureId, page)).map(ErasureItem::entry);
  }

  @Override
  public void putDigests(UUID erasureId, int block, Digests digests) {
    put(ErasureItem.of(blockId(erasureId, block), digests), put -> {});
  }

  @Override
  public Optional<Digests> digests(UUID erasureId, int block) {
    return get(blockId(erasureId, block)).map(ErasureItem::digests);
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

  private static String pageId(UUID erasureId, int page) {
    return erasureId + "#" + page;
  }

  private static String blockId(UUID erasureId, int block) {
    return erasureId + "#digests#" + block;
  }
}
