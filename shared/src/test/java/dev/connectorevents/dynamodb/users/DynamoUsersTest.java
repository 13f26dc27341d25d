package dev.connectorevents.dynamodb.users;

import static dev.connectorevents.user.TestUsers.HASH;
import static dev.connectorevents.user.TestUsers.revocation;
import static dev.connectorevents.user.TestUsers.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.Promise;
import dev.connectorevents.dynamodb.events.BetweenTwoReads;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.TestUsers;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserChange;
import dev.connectorevents.user.UserWithHash;
import dev.connectorevents.user.Users;
import dev.connectorevents.user.UsersTest;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsRequest;

class DynamoUsersTest extends UsersTest {

  private static final EventTypes SCOPE = EventTypes.parse("shopify.*,github.push").orElseThrow();
  private static final PasswordHash ANOTHER = PasswordHash.of("another", TestUsers.COST);
  private static final BetweenTwoReads READS = new BetweenTwoReads();

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));

  @AutoClose
  private static final DynamoDbClient dynamoDb =
      service.settings().dynamoDbClient(client -> client.addExecutionInterceptor(READS));

  private static final String USERS = service.name("UsersTable");
  private static final String HASHES = service.name("PasswordHashesTable");
  private static final DynamoUsers users = new DynamoUsers(dynamoDb, USERS, HASHES);

  @Override
  protected Users users() {
    return users;
  }

  @Test
  @Promise("Only login reads password hashes, which have a table of their own.")
  void the_table_of_users_holds_no_hash_and_the_table_of_hashes_nothing_else() {
    User user = user("apart@example.com", "name", SCOPE);

    users.create(user, HASH);

    assertThat(item(USERS, user).toString()).doesNotContain(HASH.value());
    assertThat(item(HASHES, user))
        .isEqualTo(
            Map.of(
                "email", AttributeValue.fromS(user.email().value()),
                "id", AttributeValue.fromS(user.id().toString()),
                "password_hash", AttributeValue.fromS(HASH.value())));
  }

  @Test
  void a_change_of_both_tables_that_fails_in_one_leaves_the_other_as_it_is() {
    DynamoUsers broken = new DynamoUsers(dynamoDb, USERS, "no-such-table");
    User user = user("both@example.com");
    UserChange reset =
        new UserChange.SetPassword(ANOTHER, revocation(user.tokensValidFrom().plusSeconds(60)));

    assertUnavailable(() -> broken.create(user, HASH));
    assertThat(users.find(user.email())).isEmpty();
    users.create(user, HASH);
    assertUnavailable(() -> broken.update(user.email(), reset));
    assertUnavailable(() -> broken.delete(user));

    assertThat(users.findWithHash(user.email())).hasValue(new UserWithHash(user, HASH));
  }

  @Test
  @Promise("or with the hash of another user of the address, cannot log in")
  void the_hash_of_another_user_of_the_address_opens_no_account_and_gives_way() {
    User earlier = user("restored@example.com");
    users.create(earlier, HASH);
    Map<String, AttributeValue> restored = item(HASHES, earlier);
    users.delete(earlier);
    User user = user("restored@example.com", "new");
    Instant later = user.tokensValidFrom().plusSeconds(60);

    restore(restored);
    assertThat(users.create(user, ANOTHER)).isTrue();
    assertThat(users.findWithHash(user.email())).hasValue(new UserWithHash(user, ANOTHER));

    restore(restored);
    assertThat(users.findWithHash(user.email())).isEmpty();
    users.update(user.email(), new UserChange.SetPassword(ANOTHER, revocation(later)));
    assertThat(users.findWithHash(user.email()).map(UserWithHash::passwordHash)).hasValue(ANOTHER);

    restore(restored);
    users.delete(user);
    assertThat(item(HASHES, user)).isEmpty();
  }

  private static void restore(Map<String, AttributeValue> hash) {
    dynamoDb.putItem(put -> put.tableName(HASHES).item(hash));
  }

  /** Otherwise the time of a login would tell who is a user. */
  @Test
  @Promise("So the answer does not reveal whether a user has this address.")
  void a_login_of_an_unknown_address_makes_the_same_reads() {
    User user = user("known@example.com");
    users.create(user, HASH);
    READS.calls.clear();

    users.findWithHash(user.email());
    assertThat(tablesRead()).containsExactly(USERS, HASHES);
    assertThat(users.findWithHash(new Email("nobody@example.com"))).isEmpty();
    assertThat(tablesRead()).containsExactly(USERS, HASHES);
  }

  static List<AttributeValue> unreadableScopes() {
    return List.of(
        AttributeValue.fromS(""),
        AttributeValue.fromS("shopify"),
        AttributeValue.fromS("shopify.*,"),
        AttributeValue.fromS("shopify.*,shopify.*"),
        AttributeValue.fromS("shopify.*, github.*"),
        AttributeValue.fromN("1"),
        AttributeValue.fromNul(true),
        AttributeValue.fromSs(List.of("shopify.*")),
        AttributeValue.fromL(List.of(AttributeValue.fromS("shopify.*"))));
  }

  @ParameterizedTest
  @MethodSource("unreadableScopes")
  @Promise("the user gets 503 on every route, also at login")
  void a_scope_that_cannot_be_read_allows_nothing_until_it_is_replaced(AttributeValue stored) {
    User user = user("unreadable-" + stored.hashCode() + "@example.com");
    users.create(user, HASH);
    service
        .dynamoDb()
        .updateItem(update ->
            update
                .tableName(USERS)
                .key(Map.of("email", AttributeValue.fromS(user.email().value())))
                .updateExpression("SET event_types = :stored")
                .expressionAttributeValues(Map.of(":stored", stored)));

    List<ThrowingCallable> reads =
        List.of(() -> users.find(user.email()), () -> users.findWithHash(user.email()));
    assertThat(reads)
        .allSatisfy(read ->
            assertThatExceptionOfType(DependencyUnavailableException.class)
                .isThrownBy(read)
                .withMessage("the event_types of the user " + user.id() + " are no scope"));
    users.update(user.email(), new UserChange.SetScope(SCOPE));
    assertThat(users.find(user.email()).orElseThrow().scope()).isEqualTo(SCOPE);
  }

  private static Map<String, AttributeValue> item(String table, User user) {
    return dynamoDb
        .getItem(get -> get.tableName(table).key(DynamoUserLookup.key(user.email())))
        .item();
  }

  private static void assertUnavailable(ThrowingCallable call) {
    assertThatExceptionOfType(DependencyUnavailableException.class).isThrownBy(call);
  }

  /** The tables of the transactions that have read since the last call. */
  private static List<String> tablesRead() {
    List<String> tables =
        READS.calls.stream()
            .filter(TransactGetItemsRequest.class::isInstance)
            .flatMap(read -> ((TransactGetItemsRequest) read).transactItems().stream())
            .map(item -> item.get().tableName())
            .toList();
    READS.calls.clear();
    return tables;
  }
}
