package dev.connectorevents.acceptance.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.acceptance.service.RunningService;
import dev.connectorevents.dynamodb.DynamoUsers;
import dev.connectorevents.emulator.iam.Role;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.UserWithHash;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** A function's role refuses calls that a mistake in the function could make. */
@SuppressWarnings("NullAway.Init")
class UsersTableAccessTest {

  private static final Email EMAIL = new Email(RunningService.EMAIL);
  private static final Map<String, AttributeValue> KEY = Map.of("email", fromS(EMAIL.value()));

  @AutoClose private static final RunningService service = RunningService.start();
  private static final DynamoDbClient dynamoDb = service.emulator().dynamoDb();
  private static final DynamoUsers users = new DynamoUsers(dynamoDb, service.name("UsersTable"));

  @ParameterizedTest
  @ValueSource(
      strings = {"RefreshFunction", "MeFunction", "CreateEventFunction", "ManageUsersFunction"})
  void a_read_of_a_hash_is_refused_to_all_but_login(String function) {
    assertThat(as(function).call(() -> users.find(EMAIL))).isPresent();

    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> as(function).call(() -> users.findWithHash(EMAIL)))
        .havingCause()
        .withMessageContaining("with {dynamodb:Attributes=[password_hash]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LoginFunction",
        "RefreshFunction",
        "MeFunction",
        "CreateEventFunction",
        "ManageUsersFunction"
      })
  void a_read_without_a_projection_is_refused(String function) {
    assertThatExceptionOfType(DynamoDbException.class)
        .isThrownBy(() ->
            as(function)
                .call(() ->
                    dynamoDb.getItem(get ->
                        get.tableName(service.name("UsersTable")).key(KEY).consistentRead(true))))
        .withMessageContaining("with {dynamodb:Select=[ALL_ATTRIBUTES]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SET password_hash = :v, #s = :v | attribute_exists(email) | state",
        "REMOVE tokens_valid_from | attribute_exists(email) | tokens_valid_from",
        "SET password_hash = id | attribute_exists(email) | id",
        "SET password_hash = :v | created_at < :v | created_at",
      })
  void login_may_neither_change_nor_compare_anything_but_the_hash(
      String update, String condition, String attribute) {
    refused(
        request ->
            request
                .updateExpression(update)
                .conditionExpression(condition)
                .expressionAttributeNames(update.contains("#s") ? Map.of("#s", "state") : Map.of())
                .expressionAttributeValues(
                    (update + condition).contains(":v") ? Map.of(":v", fromS("x")) : Map.of()),
        "{dynamodb:Attributes=[" + attribute + "]}");
  }

  @Test
  void login_may_have_no_item_returned_by_an_update() {
    Consumer<UpdateItemRequest.Builder> rehash =
        request ->
            request
                .updateExpression("SET password_hash = :v")
                .expressionAttributeValues(Map.of(":v", fromS("x")));
    refused(
        rehash.andThen(request -> request.returnValues("ALL_OLD")),
        "{dynamodb:ReturnValues=[ALL_OLD]}");
    refused(
        rehash.andThen(request -> request.returnValuesOnConditionCheckFailure("ALL_OLD")),
        "{dynamodb:ReturnValues=[ALL_OLD]}");
  }

  private static void refused(Consumer<UpdateItemRequest.Builder> update, String excess) {
    Optional<UserWithHash> before = users.findWithHash(EMAIL);

    assertThatExceptionOfType(DynamoDbException.class)
        .isThrownBy(() ->
            as("LoginFunction")
                .call(() ->
                    dynamoDb.updateItem(request ->
                        update.accept(request.tableName(service.name("UsersTable")).key(KEY)))))
        .withMessageContaining("with " + excess);
    assertThat(users.findWithHash(EMAIL)).isEqualTo(before).isPresent();
  }

  private static Role as(String function) {
    return service.emulator().template().functions().stream()
        .filter(each -> each.id().equals(function))
        .findFirst()
        .map(Role::new)
        .orElseThrow();
  }
}
