package dev.connectorevents.emulator.template;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
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

  // CloudFormation names these as CreateTable does. The others change nothing on this machine.
  private static final Set<String> USED =
      Set.of("AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes", "StreamSpecification");

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .withConfigOverride(
              GlobalSecondaryIndex.serializableBuilderClass(),
              // DynamoDB Local has no use for these.
              index ->
                  index.setIgnorals(
                      JsonIgnoreProperties.Value.forIgnoredProperties(
                          "onDemandThroughput", "warmThroughput")))
          .build();

  public String name() {
    return request.tableName();
  }

  static TableDefinition read(String name, Section properties) {
    if (properties.has("LocalSecondaryIndexes")) {
      throw new TemplateMistake(
          properties.path("LocalSecondaryIndexes"), "only global indexes are served here");
    }
    check(properties);
    if (properties.list("KeySchema").isEmpty()) {
      throw new TemplateMistake(properties.where(), "KeySchema is missing");
    }
    CreateTableRequest.Builder request =
        builder(properties).tableName(name).billingMode(BillingMode.PAY_PER_REQUEST);
    if (properties.has("StreamSpecification")) {
      String view = properties.section("StreamSpecification").text("StreamViewType");
      request.streamSpecification(stream -> stream.streamEnabled(true).streamViewType(view));
    }
    CreateTableRequest built = request.build();
    requireDeclaredKeys(properties.path("AttributeDefinitions"), built);
    Section ttl = Vocabulary.EXPIRY.check(properties.section("TimeToLiveSpecification"));
    return new TableDefinition(
        built, ttl.isTrue("Enabled") ? Optional.of(ttl.text("AttributeName")) : Optional.empty());
  }

  private static void check(Section properties) {
    Vocabulary.TABLE.check(properties).list("KeySchema").forEach(Vocabulary.KEY::check);
    properties.list("AttributeDefinitions").forEach(Vocabulary.ATTRIBUTE::check);
    for (Section index : properties.list("GlobalSecondaryIndexes")) {
      Vocabulary.INDEX.check(index).list("KeySchema").forEach(Vocabulary.KEY::check);
      Vocabulary.PROJECTION.check(index.section("Projection"));
    }
    Vocabulary.STREAM.check(properties.section("StreamSpecification"));
  }

  private static CreateTableRequest.Builder builder(Section properties) {
    Map<String, Object> used = new LinkedHashMap<>(properties.values());
    used.keySet().retainAll(USED);
    try {
      return MAPPER.convertValue(used, CreateTableRequest.serializableBuilderClass());
    } catch (IllegalArgumentException e) {
      throw new TemplateMistake(properties.where(), String.valueOf(e.getMessage()));
    }
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
