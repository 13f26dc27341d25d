package dev.connectorevents.dynamodb;

import static dev.connectorevents.dynamodb.Calls.call;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * Keeps the proofs of erasures in a table: the erasure in the item {@code <erasure_id>}, and each
 * page of ids in the item {@code <erasure_id>#<page>}.
 */
public final class DynamoErasureLedger implements ErasureLedger {

  private static final String IDS = "ids";
  private static final String NARROWED = "narrowed";
  private static final String NOT_JUDGED = "not_judged";

  private static final String IS_OPEN = "attribute_exists(begun) AND attribute_not_exists(ended)";

  private final DynamoDbClient dynamoDb;
  private final String table;

  public DynamoErasureLedger(DynamoDbClient dynamoDb, String table) {
    this.dynamoDb = dynamoDb;
    this.table = table;
  }

  @Override
  public void put(Erasure erasure) {
    Item item = item(erasure);
    call(
        "PutItem on erasures",
        () -> dynamoDb.putItem(put -> put.tableName(table).item(item.attributes())));
  }

  private static Item item(Erasure erasure) {
    Item item =
        new Item()
            .put("id", erasure.id())
            .put("reason", erasure.reason().orElse(null))
            .put("selector", erasure.selectorKind())
            .put("begun", erasure.begun())
            .put("lag_seconds", erasure.lagAssumed().toSeconds());
    erasure
        .brand()
        .ifPresent(brand -> item.put("salt", brand.salt()).put("brand_sha256", brand.sha256()));
    erasure.isNarrowed().ifPresent(isNarrowed -> item.put(NARROWED, isNarrowed.booleanValue()));
    if (!erasure.notJudged().isEmpty()) {
      item.attributes().put(NOT_JUDGED, texts(erasure.notJudged()));
    }
    erasure
        .proof()
        .ifPresent(proof ->
            item.put("ended", proof.ended())
                .put("count", proof.count())
                .put("ids_sha256", proof.idsSha256())
                .put("backups_until", proof.backupsUntil()));
    return item;
  }

  private static Erasure erasure(Item item) {
    return new Erasure(
        UUID.fromString(item.text("id")),
        Optional.ofNullable(item.optional("reason", text -> text)),
        item.text("selector"),
        item.has("salt")
            ? Optional.of(new Erasure.SaltedBrand(item.text("salt"), item.text("brand_sha256")))
            : Optional.empty(),
        Optional.ofNullable(item.attributes().get(NARROWED)).map(AttributeValue::bool),
        Instant.parse(item.text("begun")),
        Duration.ofSeconds(item.number("lag_seconds", 0)),
        notJudged(item),
        item.has("ended") ? Optional.of(proof(item)) : Optional.empty());
  }

  private static List<UUID> notJudged(Item item) {
    return item
        .attributes()
        .getOrDefault(NOT_JUDGED, AttributeValue.fromSs(List.of()))
        .ss()
        .stream()
        .sorted()
        .map(UUID::fromString)
        .toList();
  }

  private static AttributeValue texts(Collection<UUID> ids) {
    return AttributeValue.fromSs(ids.stream().map(UUID::toString).toList());
  }

  private static Erasure.Proof proof(Item item) {
    return new Erasure.Proof(
        Instant.parse(item.text("ended")),
        Math.toIntExact(item.number("count", 0)),
        item.text("ids_sha256"),
        Instant.parse(item.text("backups_until")));
  }

  @Override
  public Optional<Erasure> find(UUID erasureId) {
    return get(erasureId.toString()).map(DynamoErasureLedger::erasure);
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
                      .filterExpression("attribute_exists(begun)");
                  after.ifPresent(id -> scan.exclusiveStartKey(key(id)));
                }));
    return new Page(
        read.items().stream().map(Item::new).map(DynamoErasureLedger::erasure).toList(),
        read.hasLastEvaluatedKey() && !read.lastEvaluatedKey().isEmpty()
            ? Optional.of(new Item(read.lastEvaluatedKey()).text("id"))
            : Optional.empty());
  }

  @Override
  public boolean addNotJudged(UUID erasureId, Set<UUID> ids) {
    Set<UUID> all =
        find(erasureId).map(Erasure::notJudged).map(HashSet::new).orElseGet(HashSet::new);
    if (!all.addAll(ids)) {
      return true;
    }
    if (all.size() > Erasure.MAX_NOT_JUDGED) {
      return false;
    }
    try {
      call(
          "UpdateItem on erasures",
          () ->
              dynamoDb.updateItem(update ->
                  update
                      .tableName(table)
                      .key(key(erasureId.toString()))
                      .updateExpression("ADD " + NOT_JUDGED + " :ids")
                      .conditionExpression(IS_OPEN)
                      .expressionAttributeValues(Map.of(":ids", texts(ids)))));
    } catch (ConditionalCheckFailedException e) {
      // another call has ended the erasure: its proof stays as it is
    }
    return true;
  }

  @Override
  public boolean add(UUID erasureId, int page, Set<UUID> ids) {
    try {
      call(
          "PutItem on erasures",
          () ->
              dynamoDb.putItem(put ->
                  put.tableName(table)
                      .item(page(erasureId, page, ids))
                      .conditionExpression("attribute_not_exists(id)")));
      return true;
    } catch (ConditionalCheckFailedException e) {
      return false;
    }
  }

  @Override
  public void correct(UUID erasureId, int page, Set<UUID> ids) {
    call(
        "PutItem on erasures",
        () -> dynamoDb.putItem(put -> put.tableName(table).item(page(erasureId, page, ids))));
  }

  private static Map<String, AttributeValue> page(UUID erasureId, int page, Set<UUID> ids) {
    List<AttributeValue> texts = ids.stream().map(id -> fromS(id.toString())).toList();
    return Map.of("id", fromS(pageId(erasureId, page)), IDS, AttributeValue.fromL(texts));
  }

  @Override
  public Optional<Set<UUID>> ids(UUID erasureId, int page) {
    return get(pageId(erasureId, page))
        .map(item ->
            item.attributes().getOrDefault(IDS, AttributeValue.fromL(List.of())).l().stream()
                .map(id -> UUID.fromString(id.s()))
                .collect(Collectors.toSet()));
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
}
