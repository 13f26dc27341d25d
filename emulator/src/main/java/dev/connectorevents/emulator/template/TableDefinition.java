package dev.connectorevents.emulator.template;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;

/**
 * One {@code AWS::DynamoDB::Table}.
 *
 * @param ttlAttribute the attribute with an item's expiry, if items expire
 */
public record TableDefinition(CreateTableRequest request, Optional<String> ttlAttribute) {

  /** CloudFormation names these, and all that they contain, as CreateTable does. */
  private static final List<String> SAME_NAMES =
      List.of("AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes", "StreamSpecification");

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE)
          .build();

  public String name() {
    return request.tableName();
  }

  static TableDefinition read(String name, Section properties) {
    CreateTableRequest.Builder request =
        builder(properties).tableName(name).billingMode(BillingMode.PAY_PER_REQUEST);
    if (properties.has("StreamSpecification")) {
      String view = properties.section("StreamSpecification").text("StreamViewType");
      request.streamSpecification(stream -> stream.streamEnabled(true).streamViewType(view));
    }
    CreateTableRequest built = request.build();
    if (built.keySchema().isEmpty()) {
      throw new TemplateMistake(properties.where(), "KeySchema is missing");
    }
    requireDeclaredKeys(properties.path("AttributeDefinitions"), built);
    Section ttl = properties.section("TimeToLiveSpecification");
    Optional<String> attribute = ttl.optionalText("AttributeName");
    return new TableDefinition(built, attribute.filter(any -> ttl.isTrue("Enabled")));
  }

  private static CreateTableRequest.Builder builder(Section properties) {
    Map<String, Object> same = new LinkedHashMap<>();
    SAME_NAMES.forEach(name -> properties.value(name).ifPresent(value -> same.put(name, value)));
    try {
      return MAPPER.convertValue(same, CreateTableRequest.serializableBuilderClass());
    } catch (IllegalArgumentException e) {
      throw e.getCause() instanceof UnrecognizedPropertyException unknown
          ? new TemplateMistake(properties.where() + path(unknown), "CreateTable has no such name")
          : new TemplateMistake(properties.where(), String.valueOf(e.getMessage()));
    }
  }

  private static String path(JsonMappingException e) {
    return e.getPath().stream()
        .map(part ->
            part.getFieldName() == null ? "[" + part.getIndex() + "]" : "." + part.getFieldName())
        .collect(Collectors.joining());
  }

  /** DynamoDB refuses other attributes, too, but does not name the table. */
  private static void requireDeclaredKeys(String where, CreateTableRequest table) {
    Stream<List<KeySchemaElement>> ofIndexes =
        table.globalSecondaryIndexes().stream().map(GlobalSecondaryIndex::keySchema);
    Set<String> keys =
        Stream.concat(Stream.of(table.keySchema()), ofIndexes)
            .flatMap(List::stream)
            .map(key -> Objects.toString(key.attributeName()))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> declared =
        table.attributeDefinitions().stream()
            .map(attribute -> Objects.toString(attribute.attributeName()))
            .collect(Collectors.toSet());
    if (!keys.equals(declared)) {
      throw new TemplateMistake(where, "the keys of table and indexes are " + keys);
    }
  }
}
