package dev.connectorevents.emulator.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.StreamSpecification;

/**
 * One `AWS::DynamoDB::Table`.
 *
 * @param request creates it
 * @param ttlAttribute the attribute that holds an item's time to live, when that is switched on
 */
public record TableDefinition(CreateTableRequest request, Optional<String> ttlAttribute) {
  public String name() {
    return request.tableName();
  }

  static TableDefinition read(String name, Section properties) {
    var request =
        CreateTableRequest.builder()
            .tableName(name)
            .billingMode(BillingMode.PAY_PER_REQUEST)
            .attributeDefinitions(
                properties.list("AttributeDefinitions").stream()
                    .map(TableDefinition::attribute)
                    .toList())
            .keySchema(keys(properties));
    var indexes = properties.list("GlobalSecondaryIndexes");
    if (!indexes.isEmpty()) {
      request.globalSecondaryIndexes(indexes.stream().map(TableDefinition::index).toList());
    }
    if (properties.has("StreamSpecification")) {
      request.streamSpecification(
          StreamSpecification.builder()
              .streamEnabled(true)
              .streamViewType(properties.section("StreamSpecification").text("StreamViewType"))
              .build());
    }
    var ttl = properties.section("TimeToLiveSpecification");
    var built = request.build();
    requireDeclaredKeys(properties.path("AttributeDefinitions"), built);
    return new TableDefinition(
        built,
        ttl.optionalText("Enabled").filter("true"::equals).map(on -> ttl.text("AttributeName")));
  }

  /** DynamoDB refuses the others too, but does not say in which table they are. */
  private static void requireDeclaredKeys(String where, CreateTableRequest table) {
    var declared = table.attributeDefinitions().stream().map(AttributeDefinition::attributeName);
    var keys =
        Stream.concat(
                table.keySchema().stream(),
                table.globalSecondaryIndexes().stream().flatMap(each -> each.keySchema().stream()))
            .map(KeySchemaElement::attributeName)
            .collect(Collectors.toCollection(TreeSet::new));
    if (!keys.equals(declared.collect(Collectors.toSet()))) {
      throw new TemplateMistake(where, "the keys of table and indexes are " + keys);
    }
  }

  private static AttributeDefinition attribute(Section attribute) {
    return AttributeDefinition.builder()
        .attributeName(attribute.text("AttributeName"))
        .attributeType(attribute.text("AttributeType"))
        .build();
  }

  private static List<KeySchemaElement> keys(Section owner) {
    var keys = new ArrayList<KeySchemaElement>();
    for (var key : owner.list("KeySchema")) {
      keys.add(
          KeySchemaElement.builder()
              .attributeName(key.text("AttributeName"))
              .keyType(key.text("KeyType"))
              .build());
    }
    if (keys.isEmpty()) {
      throw new TemplateMistake(owner.where(), "KeySchema is missing");
    }
    return keys;
  }

  private static GlobalSecondaryIndex index(Section index) {
    var projection = index.section("Projection");
    var built = Projection.builder().projectionType(projection.text("ProjectionType"));
    if (projection.values().get("NonKeyAttributes") instanceof List<?> names) {
      built.nonKeyAttributes(names.stream().map(Object::toString).toList());
    }
    return GlobalSecondaryIndex.builder()
        .indexName(index.text("IndexName"))
        .keySchema(keys(index))
        .projection(built.build())
        .build();
  }
}
