package dev.connectorevents.emulator.iam;

import dev.connectorevents.emulator.template.Arn;
import dev.connectorevents.emulator.template.Right;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsRequest;
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
      case TransactGetItemsRequest read ->
          read.transactItems().stream()
              .map(item -> onTable("GetItem", item.get().tableName()))
              .distinct()
              .toList();
      case BatchGetItemRequest read ->
          read.requestItems().keySet().stream()
              .map(table -> onTable("BatchGetItem", table))
              .toList();
      case DynamoDbRequest read ->
          List.of(
              new Right(
                  "dynamodb:" + operation,
                  field(read, "TableName")
                      .map(table -> onIndex(read, Arn.table(table)))
                      .orElse(ANY)));
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
      return onTable("PutItem", write.put().tableName());
    }
    if (write.update() != null) {
      return onTable("UpdateItem", write.update().tableName());
    }
    if (write.delete() != null) {
      return onTable("DeleteItem", write.delete().tableName());
    }
    return onTable("ConditionCheckItem", write.conditionCheck().tableName());
  }

  private static Right onTable(String operation, String table) {
    return new Right("dynamodb:" + operation, Arn.table(table));
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
