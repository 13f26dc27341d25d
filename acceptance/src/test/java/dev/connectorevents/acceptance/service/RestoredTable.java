package dev.connectorevents.acceptance.service;

import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** A table with the name that one has which was restored from a backup. */
public final class RestoredTable {

  private RestoredTable() {}

  /** The name of the table that is restored from a backup of this one, by its logical id. */
  public static String name(World service, String table) {
    return service.name(table) + "-restored";
  }

  /** Creates it, empty, with this attribute as its primary key. */
  public static String create(World service, String table, String key) {
    String name = name(service, table);
    service
        .dynamoDb()
        .createTable(create ->
            create
                .tableName(name)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .keySchema(
                    KeySchemaElement.builder().attributeName(key).keyType(KeyType.HASH).build())
                .attributeDefinitions(
                    AttributeDefinition.builder()
                        .attributeName(key)
                        .attributeType(ScalarAttributeType.S)
                        .build()));
    return name;
  }
}
