package dev.connectorevents.emulator.iam;

import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.AttributeValueUpdate;
import software.amazon.awssdk.services.dynamodb.model.ExpectedAttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ListTablesRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.Select;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The values that IAM's condition keys have in calls to DynamoDB. */
class ConditionValuesTest {

  private static final Map<String, AttributeValue> KEY = Map.of("email", fromS("a@b.example"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id | email id",
        "id,#n | email id name",
        "id, a.b[0].c, #n.d, e[1] | email id a name e",
        "#unknown | email #unknown",
        "set_at, orders | email set_at orders",
      })
  void a_projection_names_the_top_level_of_its_paths(String projection, String names) {
    assertThat(
            ConditionValues.of(
                GetItemRequest.builder()
                    .key(KEY)
                    .projectionExpression(projection)
                    .expressionAttributeNames(Map.of("#n", "name"))
                    .build()))
        .isEqualTo(read("SPECIFIC_ATTRIBUTES", names.split(" ")));
  }

  @Test
  void a_read_without_a_projection_names_its_key_and_selects_all_attributes() {
    assertThat(ConditionValues.of(GetItemRequest.builder().key(KEY).build()))
        .isEqualTo(read("ALL_ATTRIBUTES", "email"));
  }

  @Test
  void a_batch_read_names_its_keys() {
    assertThat(
            ConditionValues.of(
                KeysAndAttributes.builder().keys(List.of(KEY)).projectionExpression("id").build()))
        .isEqualTo(read("SPECIFIC_ATTRIBUTES", "email", "id"));
  }

  @Test
  void the_older_parameters_name_attributes_too() {
    assertThat(ConditionValues.of(GetItemRequest.builder().key(KEY).attributesToGet("id").build()))
        .isEqualTo(read("SPECIFIC_ATTRIBUTES", "email", "id"));
    assertThat(
            ConditionValues.of(
                UpdateItemRequest.builder()
                    .key(KEY)
                    .attributeUpdates(
                        Map.of("a", AttributeValueUpdate.builder().value(fromS("b")).build()))
                    .expected(Map.of("c", ExpectedAttributeValue.builder().exists(false).build()))
                    .build()))
        .isEqualTo(written("NONE", "email", "a", "c"));
  }

  @Test
  void a_query_names_the_attributes_that_it_compares_and_may_select_others() {
    QueryRequest.Builder query =
        QueryRequest.builder().keyConditionExpression("a = :a").filterExpression("b <> :b");

    assertThat(ConditionValues.of(query.build())).isEqualTo(read("ALL_ATTRIBUTES", "a", "b"));
    assertThat(ConditionValues.of(query.select(Select.COUNT).build()))
        .isEqualTo(read("COUNT", "a", "b"));
  }

  @Test
  void a_scan_names_where_it_begins_and_what_it_reads() {
    ScanRequest.Builder scan =
        ScanRequest.builder().exclusiveStartKey(KEY).filterExpression("b <> :b");

    assertThat(ConditionValues.of(scan.build())).isEqualTo(read("ALL_ATTRIBUTES", "email", "b"));
    assertThat(
            ConditionValues.of(
                scan.projectionExpression("id").select(Select.SPECIFIC_ATTRIBUTES).build()))
        .isEqualTo(read("SPECIFIC_ATTRIBUTES", "email", "b", "id"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SET a = :a | a",
        "set #n=:set, b = if_not_exists(c, :c) + :one | name b c",
        "SET a = list_append (b, :b) REMOVE c, d[2] ADD e :e DELETE f.g :g | a b c d e f",
      })
  void an_update_names_the_attributes_that_it_assigns_and_reads(String expression, String names) {
    assertThat(
            ConditionValues.of(
                Update.builder()
                    .updateExpression(expression)
                    .expressionAttributeNames(Map.of("#n", "name"))
                    .build()))
        .isEqualTo(written("NONE", names.split(" ")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "attribute_not_exists(a) | a",
        "attribute_exists (a) AND NOT contains(b, :b) OR size(c) > d | a b c d",
        "a BETWEEN :b AND :c and d IN (:e, f) | a d f",
        "begins_with(#n, :and) AND attribute_type(a, :type) | name a",
      })
  void a_condition_names_the_attributes_that_it_compares(String condition, String names) {
    assertThat(
            ConditionValues.of(
                PutItemRequest.builder()
                    .conditionExpression(condition)
                    .expressionAttributeNames(Map.of("#n", "name"))
                    .build()))
        .isEqualTo(written("NONE", names.split(" ")));
  }

  @Test
  void a_put_names_all_attributes_of_its_item_and_has_return_values() {
    PutItemRequest.Builder put = PutItemRequest.builder().item(Map.of("a", fromS("b")));

    assertThat(ConditionValues.of(put.build())).isEqualTo(written("NONE", "a"));
    assertThat(ConditionValues.of(put.returnValues(ReturnValue.ALL_OLD).build()))
        .containsEntry("dynamodb:ReturnValues", Set.of("ALL_OLD", "NONE"));
    assertThat(
            ConditionValues.of(
                put.returnValues(ReturnValue.NONE)
                    .returnValuesOnConditionCheckFailure(
                        ReturnValuesOnConditionCheckFailure.ALL_OLD)
                    .build()))
        .containsEntry("dynamodb:ReturnValues", Set.of("NONE", "ALL_OLD"));
  }

  @Test
  void a_call_without_items_has_no_condition_keys() {
    assertThat(ConditionValues.of(ListTablesRequest.builder().build())).isEmpty();
  }

  private static Map<String, Set<String>> read(String select, String... attributes) {
    return Map.of("dynamodb:Attributes", Set.of(attributes), "dynamodb:Select", Set.of(select));
  }

  private static Map<String, Set<String>> written(String returned, String... attributes) {
    return Map.of(
        "dynamodb:Attributes", Set.of(attributes), "dynamodb:ReturnValues", Set.of(returned));
  }
}
