package dev.connectorevents.dynamodb.erasures;

import static dev.connectorevents.dynamodb.Calls.call;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.Runs;
import dev.connectorevents.event.SaltedHash;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/**
 * Keeps runs beside the proofs of {@link DynamoErasureLedger}, in the items {@code run#<id>}. They
 * have no {@code selector}, which the list of erasures looks for.
 */
public final class DynamoRuns implements Runs {

  private static final String STEP = "step";
  private static final String PLACE = "place";

  private final DynamoDbClient dynamoDb;
  private final String table;

  public DynamoRuns(DynamoDbClient dynamoDb, String table) {
    this.dynamoDb = dynamoDb;
    this.table = table;
  }

  @Override
  public void begin(Run run) {
    put(run, put -> {});
  }

  @Override
  public Optional<Run> find(UUID id) {
    GetItemResponse read =
        call(
            "GetItem on erasures",
            () ->
                dynamoDb.getItem(get ->
                    get.tableName(table).key(Map.of("id", fromS(key(id)))).consistentRead(true)));
    return read.hasItem() ? Optional.of(run(id, new Item(read.item()))) : Optional.empty();
  }

  @Override
  public Run move(Run run, Optional<String> next) {
    Run moved = run.after(next);
    try {
      put(
          moved,
          put ->
              put.conditionExpression("#step = :step")
                  .expressionAttributeNames(Map.of("#step", STEP))
                  .expressionAttributeValues(Map.of(":step", fromN("" + run.step()))));
      return moved;
    } catch (ConditionalCheckFailedException e) { // another call, or a retry of this write
      return find(run.id()).orElseThrow();
    }
  }

  private void put(Run run, Consumer<PutItemRequest.Builder> more) {
    Item item =
        new Item()
            .put("id", key(run.id()))
            .put("kind", run.kind())
            .put("salt", run.request().salt())
            .put("request_sha256", run.request().sha256())
            .put("begun", run.begun())
            .put(STEP, run.step())
            .put(PLACE, run.place().orElse(null));
    call(
        "PutItem on erasures",
        () -> dynamoDb.putItem(put -> more.accept(put.tableName(table).item(item.attributes()))));
  }

  private static Run run(UUID id, Item item) {
    return new Run(
        id,
        item.text("kind"),
        new SaltedHash(item.text("salt"), item.text("request_sha256")),
        Instant.parse(item.text("begun")),
        Math.toIntExact(item.number(STEP, 0)),
        Optional.ofNullable(item.optional(PLACE, text -> text)));
  }

  private static String key(UUID id) {
    return "run#" + id;
  }
}
