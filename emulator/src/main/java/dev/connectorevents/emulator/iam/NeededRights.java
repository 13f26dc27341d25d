package dev.connectorevents.emulator.iam;

import dev.connectorevents.emulator.dynamodb.InsertStatement;
import dev.connectorevents.emulator.template.Arn;
import dev.connectorevents.emulator.template.Right;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.secretsmanager.model.SecretsManagerRequest;

/**
 * The rights that a call needs.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html">
 *     Actions and resources of DynamoDB</a>
 */
public final class NeededRights {
  // For calls without a resource, such as ListTables, and for calls that are unknown here.
  private static final String ANY = "*";

  private NeededRights() {}

  public static List<Right> of(SdkRequest request, String operation) {
    return switch (request) {
      case TransactWriteItemsRequest write ->
          write.transactItems().stream().map(NeededRights::of).distinct().toList();
      case BatchGetItemRequest read ->
          read.requestItems().entrySet().stream()
              .map(items -> onTable("BatchGetItem", items.getKey(), items.getValue()))
              .toList();
      case BatchExecuteStatementRequest batch ->
          batch.statements().stream().map(NeededRights::of).distinct().toList();
      case DynamoDbRequest read ->
          List.of(
              new Right(
                  "dynamodb:" + operation,
                  field(read, "TableName")
                      .map(table -> onIndex(read, Arn.table(table)))
                      .orElse(ANY),
                  ConditionValues.of(read)));
      case SecretsManagerRequest secret ->
          List.of(
              new Right(
                  "secretsmanager:" + operation,
                  field(secret, "SecretId").map(NeededRights::secretArn).orElse(ANY)));
      default -> throw new IllegalStateException("unknown rights for " + request);
    };
  }

  private static Right of(TransactWriteItem write) {
    if (write.put() != null) {
      return onTable("PutItem", write.put().tableName(), write.put());
    }
    if (write.update() != null) {
      return onTable("UpdateItem", write.update().tableName(), write.update());
    }
    if (write.delete() != null) {
      return onTable("DeleteItem", write.delete().tableName(), write.delete());
    }
    ConditionCheck check = write.conditionCheck();
    return onTable("ConditionCheckItem", check.tableName(), check);
  }

  /** Of PartiQL, only an {@code INSERT} is known here. Another statement needs a right to all. */
  private static Right of(BatchStatementRequest statement) {
    return InsertStatement.of(statement)
        .map(insert ->
            new Right(
                "dynamodb:PartiQLInsert",
                Arn.table(insert.table()),
                Map.of("dynamodb:Attributes", insert.item().keySet())))
        .orElseGet(() -> new Right("dynamodb:PartiQL*", ANY));
  }

  private static Right onTable(String operation, String table, SdkPojo write) {
    return new Right("dynamodb:" + operation, Arn.table(table), ConditionValues.of(write));
  }

  private static String onIndex(DynamoDbRequest request, String tableArn) {
    return field(request, "IndexName").map(index -> tableArn + "/index/" + index).orElse(tableArn);
  }

  private static String secretArn(String id) {
    return id.startsWith("arn:") ? id : Arn.secret(id);
  }

  private static Optional<String> field(SdkRequest request, String name) {
    return request.getValueForField(name, String.class);
  }
}
