package dev.connectorevents.dynamodb.users;

import static dev.connectorevents.dynamodb.Calls.call;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;
import static software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure.ALL_OLD;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.user.ChangeOutcome;
import dev.connectorevents.user.ChangeOutcome.Changed;
import dev.connectorevents.user.ChangeOutcome.NoSuchUser;
import dev.connectorevents.user.ChangeOutcome.RevokedTooOften;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Scope;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserChange;
import dev.connectorevents.user.UserPage;
import dev.connectorevents.user.UserWithHash;
import dev.connectorevents.user.Users;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.Select;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Stores users in a DynamoDB table. Its key is the e-mail address, which makes addresses unique.
 */
public final class DynamoUsers implements Users {

  /** How the stored {@code tokens_valid_from} must compare with the new one. */
  private enum Stored {
    SAME("="),
    EARLIER("<");

    private final String operator;

    Stored(String operator) {
      this.operator = operator;
    }
  }

  private final DynamoDbClient dynamoDb;
  private final String table;

  public DynamoUsers(DynamoDbClient dynamoDb, String table) {
    this.dynamoDb = dynamoDb;
    this.table = table;
  }

  @Override
  public Optional<User> find(Email email) {
    return read(email, UserItem.PROJECTION).map(UserItem::user);
  }

  @Override
  public Optional<UserWithHash> findWithHash(Email email) {
    return read(email, UserItem.PROJECTION_WITH_HASH).map(UserItem::userWithHash);
  }

  private Optional<Item> read(Email email, String projection) {
    GetItemResponse read =
        call(
            "GetItem on users",
            () ->
                dynamoDb.getItem(get ->
                    get.tableName(table)
                        .key(key(email))
                        .projectionExpression(projection)
                        .expressionAttributeNames(UserItem.RESERVED_NAMES)
                        .consistentRead(true)));
    return read.hasItem() ? Optional.of(new Item(read.item())) : Optional.empty();
  }

  @Override
  public UserPage list(Optional<Email> after, int limit) {
    ScanResponse read =
        call(
            "Scan on users",
            () ->
                dynamoDb.scan(scan -> {
                  scan.tableName(table)
                      .limit(limit)
                      .select(Select.SPECIFIC_ATTRIBUTES)
                      .projectionExpression(UserItem.PROJECTION)
                      .expressionAttributeNames(UserItem.RESERVED_NAMES)
                      .consistentRead(true);
                  after.ifPresent(email -> scan.exclusiveStartKey(key(email)));
                }));
    List<User> users = read.items().stream().map(Item::new).map(UserItem::user).toList();
    return new UserPage(users, last(read));
  }

  private static Optional<Email> last(ScanResponse read) {
    return read.hasLastEvaluatedKey() && !read.lastEvaluatedKey().isEmpty()
        ? Optional.of(new Email(new Item(read.lastEvaluatedKey()).text("email")))
        : Optional.empty();
  }

  private static Map<String, AttributeValue> key(Email email) {
    return Map.of("email", fromS(email.value()));
  }

  @Override
  public boolean create(User user, PasswordHash passwordHash) {
    try {
      call(
          "PutItem on users",
          () ->
              dynamoDb.putItem(put ->
                  put.tableName(table)
                      .item(UserItem.of(user, passwordHash).attributes())
                      .conditionExpression("attribute_not_exists(email)")
                      .returnValuesOnConditionCheckFailure(ALL_OLD)));
      return true;
    } catch (ConditionalCheckFailedException e) {
      return storedUser(e).id().equals(user.id()); // true if the SDK retried after a lost answer
    }
  }

  @Override
  public ChangeOutcome update(Email email, UserChange change) {
    return switch (change) {
      case UserChange.Enable() -> ifUnchanged(email, stored -> enable(email, stored));
      case UserChange.SetScope(Scope scope) ->
          ifUnchanged(email, stored -> setScope(email, scope, stored));
      case UserChange.Ending ending -> endSessions(email, ending);
    };
  }

  /**
   * Makes a write whose condition is the user as it was read. Otherwise a delayed attempt would
   * undo a later change.
   */
  private ChangeOutcome ifUnchanged(Email email, Function<Item, Changed> write) {
    Optional<Item> stored = read(email, UserItem.PROJECTION);
    while (stored.isPresent()) {
      try {
        return write.apply(stored.get());
      } catch (ConditionalCheckFailedException e) {
        stored = e.hasItem() ? Optional.of(new Item(e.item())) : Optional.empty();
      }
    }
    return new NoSuchUser();
  }

  /** Writes only if no session has been ended since the read, by a disabling for example. */
  private Changed enable(Email email, Item stored) {
    Item changed = UserItem.enabled().copy(UserItem.TOKENS_VALID_FROM, stored);
    return write(email, changed, Stored.SAME);
  }

  /** Does not parse the stored scope, so that it replaces one that cannot be read too. */
  private Changed setScope(Email email, @Nullable Scope scope, Item stored) {
    AttributeValue replaced = stored.attributes().get(UserItem.EVENT_TYPES);
    Map<String, AttributeValue> values = new HashMap<>();
    values.put(":tokens_valid_from", fromS(stored.text(UserItem.TOKENS_VALID_FROM)));
    if (replaced != null) {
      values.put(":replaced", replaced);
    }
    if (scope != null) {
      values.put(":scope", fromS(scope.text()));
    }
    return update(
        email,
        request ->
            request
                .updateExpression(scope == null ? "REMOVE event_types" : "SET event_types = :scope")
                .conditionExpression(
                    "tokens_valid_from = :tokens_valid_from AND "
                        + (replaced == null
                            ? "attribute_not_exists(event_types)"
                            : "event_types = :replaced"))
                .expressionAttributeValues(values));
  }

  /** Moves a revocation only forward in time: concurrent revocations must not undo each other. */
  private ChangeOutcome endSessions(Email email, UserChange.Ending ending) {
    Item changed = UserItem.changed(ending);
    while (true) {
      try {
        return write(email, changed, Stored.EARLIER);
      } catch (ConditionalCheckFailedException e) {
        if (!e.hasItem()) {
          return new NoSuchUser();
        }
        Optional<Instant> next = ending.revocation().after(storedUser(e).tokensValidFrom());
        if (next.isEmpty()) {
          return new RevokedTooOften();
        }
        changed.put(UserItem.TOKENS_VALID_FROM, next.get());
      }
    }
  }

  @Override
  public void delete(User user) {
    try {
      call(
          "DeleteItem on users",
          () ->
              dynamoDb.deleteItem(delete ->
                  delete
                      .tableName(table)
                      .key(key(user.email()))
                      .conditionExpression("id = :id")
                      .expressionAttributeValues(Map.of(":id", fromS(user.id().toString())))));
    } catch (ConditionalCheckFailedException e) {
      // The user is gone, for example because the SDK has retried a deletion that had succeeded.
    }
  }

  @Override
  public void rehash(Email email, PasswordHash from, PasswordHash to) {
    try {
      call(
          "UpdateItem on users",
          () ->
              dynamoDb.updateItem(update ->
                  update
                      .tableName(table)
                      .key(key(email))
                      .updateExpression("SET password_hash = :to")
                      .conditionExpression("password_hash = :from")
                      .expressionAttributeValues(
                          Map.of(":from", fromS(from.value()), ":to", fromS(to.value())))));
    } catch (ConditionalCheckFailedException e) {
      // The password has changed meanwhile, or the SDK has retried a write that had succeeded.
    }
  }

  private static User storedUser(ConditionalCheckFailedException e) {
    return UserItem.user(new Item(e.item()));
  }

  /** Writes if the stored {@code tokens_valid_from} compares so with the new one. */
  private Changed write(Email email, Item changed, Stored comparison) {
    Map<String, String> names = new HashMap<>();
    Map<String, AttributeValue> values = new HashMap<>();
    StringJoiner assignments = new StringJoiner(", ", "SET ", "");
    changed
        .attributes()
        .forEach((name, value) -> {
          names.put("#" + name, name);
          values.put(":" + name, value);
          assignments.add("#" + name + " = :" + name);
        });
    return update(
        email,
        request ->
            request
                .updateExpression(assignments.toString())
                .conditionExpression(
                    "#tokens_valid_from " + comparison.operator + " :tokens_valid_from")
                .expressionAttributeNames(names)
                .expressionAttributeValues(values));
  }

  private Changed update(Email email, Consumer<UpdateItemRequest.Builder> write) {
    UpdateItemResponse updated =
        call(
            "UpdateItem on users",
            () ->
                dynamoDb.updateItem(request ->
                    write.accept(
                        request
                            .tableName(table)
                            .key(key(email))
                            .returnValues(ReturnValue.ALL_NEW)
                            .returnValuesOnConditionCheckFailure(ALL_OLD))));
    return new Changed(UserItem.user(new Item(updated.attributes())));
  }
}
