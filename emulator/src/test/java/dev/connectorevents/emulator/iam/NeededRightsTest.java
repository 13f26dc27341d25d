package dev.connectorevents.emulator.iam;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.template.Right;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ListTablesRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItem;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.secretsmanager.model.GetSecretValueRequest;

class NeededRightsTest {

  private static final String TABLE = "arn:aws:dynamodb:us-east-1:000000000000:table/";
  private static final String SECRET = "arn:aws:secretsmanager:us-east-1:000000000000:secret:Key";

  @Test
  void a_call_needs_its_operation_on_its_table_index_or_secret() {
    assertThat(NeededRights.of(GetItemRequest.builder().tableName("Users").build(), "GetItem"))
        .containsExactly(new Right("dynamodb:GetItem", TABLE + "Users"));
    assertThat(
            NeededRights.of(
                QueryRequest.builder().tableName("Events").indexName("by_brand").build(), "Query"))
        .containsExactly(new Right("dynamodb:Query", TABLE + "Events/index/by_brand"));
    assertThat(NeededRights.of(ListTablesRequest.builder().build(), "ListTables"))
        .containsExactly(new Right("dynamodb:ListTables", "*"));
    for (String id : List.of("Key", SECRET)) {
      assertThat(
              NeededRights.of(
                  GetSecretValueRequest.builder().secretId(id).build(), "GetSecretValue"))
          .containsExactly(new Right("secretsmanager:GetSecretValue", SECRET));
    }
  }

  @Test
  void a_transaction_needs_what_each_of_its_writes_needs() {
    TransactWriteItemsRequest request =
        TransactWriteItemsRequest.builder()
            .transactItems(
                TransactWriteItem.builder().put(put -> put.tableName("A")).build(),
                TransactWriteItem.builder().put(put -> put.tableName("A")).build(),
                TransactWriteItem.builder()
                    .update(update -> update.tableName("B").updateExpression("REMOVE a"))
                    .build(),
                TransactWriteItem.builder().delete(delete -> delete.tableName("C")).build(),
                TransactWriteItem.builder().conditionCheck(check -> check.tableName("D")).build())
            .build();

    assertThat(NeededRights.of(request, "TransactWriteItems"))
        .containsExactly(
            new Right("dynamodb:PutItem", TABLE + "A"),
            new Right("dynamodb:UpdateItem", TABLE + "B"),
            new Right("dynamodb:DeleteItem", TABLE + "C"),
            new Right("dynamodb:ConditionCheckItem", TABLE + "D"));
  }

  @Test
  void a_transaction_of_reads_needs_a_read_of_each_table() {
    TransactGetItemsRequest request =
        TransactGetItemsRequest.builder()
            .transactItems(
                TransactGetItem.builder().get(get -> get.tableName("A")).build(),
                TransactGetItem.builder().get(get -> get.tableName("B")).build(),
                TransactGetItem.builder().get(get -> get.tableName("A")).build())
            .build();

    assertThat(NeededRights.of(request, "TransactGetItems"))
        .containsExactly(
            new Right("dynamodb:GetItem", TABLE + "A"), new Right("dynamodb:GetItem", TABLE + "B"));
  }

  @ParameterizedTest
  @CsvSource({
    "dynamodb:GetItem, table/Users, true",
    "dynamodb:getitem, table/Users, true",
    "dynamodb:*, table/Users, true",
    "dynamodb:Get*, *, true",
    "*, table/User?, true",
    "dynamodb:PutItem, table/Users, false",
    "dynamodb:GetItem, table/users, false",
    "dynamodb:GetItem, table/Users/index/*, false",
    "dynamodb:Get, table/Users, false",
    "dynamodb:GetItem, table.Users, false",
  })
  void a_right_is_matched_as_iam_does(String action, String resource, boolean allowed) {
    assertThat(new Right(action, resource).allows(new Right("dynamodb:GetItem", "table/Users")))
        .isEqualTo(allowed);
  }
}
