package dev.connectorevents.acceptance.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.dynamodb.users.DynamoUsers;
import dev.connectorevents.emulator.iam.Role;
import dev.connectorevents.emulator.template.Arn;
import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.emulator.template.Right;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.UserWithHash;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * A function's role forbids the calls to the table of users that the function does not need. So a
 * defect of the function cannot make them.
 */
class UsersTableAccessTest {

  private static final String LOGIN = "LoginFunction";
  private static final String MANAGE_USERS = "ManageUsersFunction";
  private static final Email EMAIL = new Email(World.EMAIL);
  private static final Map<String, AttributeValue> KEY = Map.of("email", fromS(EMAIL.value()));
  private static final Map<String, AttributeValue> VALUES = Map.of(":v", fromS("x"));

  @AutoClose private static final World service = World.start();
  private static final DynamoDbClient dynamoDb = service.dynamoDb();
  private static final DynamoUsers users = new DynamoUsers(dynamoDb, service.name("UsersTable"));

  /** The ids of the functions that may call {@code GetItem} on the table of users. */
  static List<String> readers() {
    Right read = new Right("dynamodb:GetItem", Arn.table(service.name("UsersTable")));
    return service.template().functions().stream()
        .filter(function -> function.rights().stream().anyMatch(right -> right.covers(read)))
        .map(FunctionDefinition::id)
        .toList();
  }

  static List<String> readersExceptLogin() {
    return readersExcept(LOGIN);
  }

  static List<String> readersExceptOperators() {
    return readersExcept(MANAGE_USERS);
  }

  private static List<String> readersExcept(String exempt) {
    return readers().stream().filter(function -> !function.equals(exempt)).toList();
  }

  @ParameterizedTest
  @MethodSource("readersExceptLogin")
  void a_read_of_a_hash_is_refused_to_all_but_login(String function) {
    assertThat(as(function).call(() -> users.find(EMAIL))).isPresent();

    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> as(function).call(() -> users.findWithHash(EMAIL)))
        .havingCause()
        .withMessageContaining("with {dynamodb:Attributes=[password_hash]}");
  }

  @ParameterizedTest
  @MethodSource("readers")
  void a_read_without_a_projection_is_refused(String function) {
    assertThatExceptionOfType(DynamoDbException.class)
        .isThrownBy(() ->
            as(function)
                .call(() ->
                    dynamoDb.getItem(get ->
                        get.tableName(service.name("UsersTable")).key(KEY).consistentRead(true))))
        .withMessageContaining("with {dynamodb:Select=[ALL_ATTRIBUTES]}");
  }

  @Test
  void operators_list_users_without_their_hashes() {
    assertThat(as(MANAGE_USERS).call(() -> users.list(Optional.empty(), 100)).users()).isNotEmpty();

    for (String projection : List.of("email, password_hash", "password_hash")) {
      assertThatExceptionOfType(DynamoDbException.class)
          .isThrownBy(() -> as(MANAGE_USERS).call(() -> scan(Optional.of(projection))))
          .withMessageContaining("with {dynamodb:Attributes=[password_hash]}");
    }
    assertThatExceptionOfType(DynamoDbException.class)
        .isThrownBy(() -> as(MANAGE_USERS).call(() -> scan(Optional.empty())))
        .withMessageContaining("with {dynamodb:Select=[ALL_ATTRIBUTES]}");
  }

  @ParameterizedTest
  @MethodSource("readersExceptOperators")
  void a_list_of_users_is_refused_to_all_but_operators(String function) {
    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> as(function).call(() -> users.list(Optional.empty(), 100)))
        .havingCause()
        .withMessageContaining("is not authorized to perform: dynamodb:Scan");
  }

  private static ScanResponse scan(Optional<String> projection) {
    return dynamoDb.scan(scan -> {
      scan.tableName(service.name("UsersTable"));
      projection.ifPresent(scan::projectionExpression);
    });
  }

  /**
   * Each row has an update expression, its condition, its names, its values, and the attribute in
   * it that login must not use.
   */
  static List<Arguments> updatesOfMoreThanTheHash() {
    String exists = "attribute_exists(email)";
    Map<String, String> names = Map.of("#s", "state"); // a reserved word of DynamoDB
    return List.of(
        arguments("SET password_hash = :v, #s = :v", exists, names, VALUES, "state"),
        arguments("REMOVE tokens_valid_from", exists, Map.of(), Map.of(), "tokens_valid_from"),
        arguments("SET password_hash = id", exists, Map.of(), Map.of(), "id"),
        arguments("SET password_hash = :v", "created_at < :v", Map.of(), VALUES, "created_at"));
  }

  @ParameterizedTest
  @MethodSource("updatesOfMoreThanTheHash")
  void login_may_neither_change_nor_compare_anything_but_the_hash(
      String update,
      String condition,
      Map<String, String> names,
      Map<String, AttributeValue> values,
      String attribute) {
    assertRefused(
        request ->
            request
                .updateExpression(update)
                .conditionExpression(condition)
                .expressionAttributeNames(names)
                .expressionAttributeValues(values),
        "{dynamodb:Attributes=[" + attribute + "]}");
  }

  @Test
  void login_may_have_no_item_returned_by_an_update() {
    Consumer<UpdateItemRequest.Builder> rehash =
        request ->
            request.updateExpression("SET password_hash = :v").expressionAttributeValues(VALUES);
    assertRefused(
        rehash.andThen(request -> request.returnValues("ALL_OLD")),
        "{dynamodb:ReturnValues=[ALL_OLD]}");
    assertRefused(
        rehash.andThen(request -> request.returnValuesOnConditionCheckFailure("ALL_OLD")),
        "{dynamodb:ReturnValues=[ALL_OLD]}");
  }

  private static void assertRefused(Consumer<UpdateItemRequest.Builder> update, String excess) {
    Optional<UserWithHash> before = users.findWithHash(EMAIL);

    assertThatExceptionOfType(DynamoDbException.class)
        .isThrownBy(() ->
            as(LOGIN)
                .call(() ->
                    dynamoDb.updateItem(request ->
                        update.accept(request.tableName(service.name("UsersTable")).key(KEY)))))
        .withMessageContaining("with " + excess);
    assertThat(users.findWithHash(EMAIL)).isEqualTo(before).isPresent();
  }

  private static Role as(String function) {
    return service.template().functions().stream()
        .filter(each -> each.id().equals(function))
        .findFirst()
        .map(Role::new)
        .orElseThrow();
  }
}
