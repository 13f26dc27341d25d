package dev.connectorevents.dynamodb.users;

import static dev.connectorevents.dynamodb.Calls.call;
import static dev.connectorevents.dynamodb.users.DynamoUserLookup.key;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;
import static software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure.ALL_OLD;

import dev.connectorevents.dynamodb.Condition;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.Transactions;
import dev.connectorevents.user.ChangeOutcome;
import dev.connectorevents.user.ChangeOutcome.Changed;
import dev.connectorevents.user.ChangeOutcome.NoSuchUser;
import dev.connectorevents.user.ChangeOutcome.RevokedTooOften;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserChange;
import dev.connectorevents.user.UserPage;
import dev.connectorevents.user.UserWithHash;
import dev.connectorevents.user.Users;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ItemResponse;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Stores users in one DynamoDB table and their password hashes in another, so that most functions
 * have no right to any hash. The key of both is the e-mail address, which makes addresses unique.
 */
public final class DynamoUsers implements Users {

  private final DynamoDbClient dynamoDb;
  private final DynamoUserLookup lookup;
  private final String users;
  private final String hashes;

  /**
   * @param users name of the table of users
   * @param hashes name of the table of password hashes
   */
  public DynamoUsers(DynamoDbClient dynamoDb, String users, String hashes) {
    this.dynamoDb = dynamoDb;
    this.lookup = new DynamoUserLookup(dynamoDb, users);
    this.users = users;
    this.hashes = hashes;
  }

  @Override
  public Optional<User> find(Email email, Predicate<User> acceptsCached) {
    return lookup.find(email, acceptsCached);
  }

  /**
   * One transaction, since two separate reads could take an old hash and the user after a reset:
   * the old password would begin a session that the reset does not end. It is also one call, which
   * needs one connection after a cold start. It takes four read units instead of two: $0.25 more
   * for a million logins, whose bcrypt costs more than ten times as much.
   */
  @Override
  public Optional<UserWithHash> findWithHash(Email email) {
    List<Optional<Item>> read =
        call(
                "TransactGetItems on users",
                () ->
                    dynamoDb.transactGetItems(
                        get -> get.transactItems(get(users, email), get(hashes, email))))
            .responses()
            .stream()
            .map(DynamoUsers::item)
            .toList();
    return read.getFirst()
        .flatMap(user ->
            read.getLast().flatMap(hash -> PasswordHashItem.add(UserItem.user(user), hash)));
  }

  private static TransactGetItem get(String table, Email email) {
    return TransactGetItem.builder().get(get -> get.tableName(table).key(key(email))).build();
  }

  private static Optional<Item> item(ItemResponse read) {
    return read.hasItem() ? Optional.of(new Item(read.item())) : Optional.empty();
  }

  @Override
  public UserPage list(Optional<Email> after, int limit) {
    ScanResponse read =
        call(
            "Scan on users",
            () ->
                dynamoDb.scan(scan -> {
                  scan.tableName(users).limit(limit).consistentRead(true);
                  after.ifPresent(email -> scan.exclusiveStartKey(key(email)));
                }));
    List<User> page = read.items().stream().map(Item::new).map(UserItem::user).toList();
    Optional<Item> next = Item.afterPage(read.lastEvaluatedKey());
    return new UserPage(page, next.map(key -> new Email(key.text("email"))));
  }

  @Override
  public boolean create(User user, PasswordHash passwordHash) {
    Item item = UserItem.of(user);
    try {
      write(
          put(users, item)
              .conditionExpression("attribute_not_exists(email)")
              .returnValuesOnConditionCheckFailure(ALL_OLD)
              .build(),
          put(hashes, PasswordHashItem.of(item, passwordHash)).build());
      return true;
    } catch (TransactionCanceledException e) { // only for its condition
      // True if this is another try after a lost answer.
      return stored(e).filter(there -> there.text("id").equals(item.text("id"))).isPresent();
    }
  }

  /**
   * Writes only if the user is still as it was read. Otherwise a change could undo a concurrent
   * one, and its delayed attempt a later one.
   */
  @Override
  public ChangeOutcome update(Email email, UserChange change) {
    Optional<Item> stored = lookup.read(email);
    while (stored.isPresent()) {
      Optional<Item> changed = UserItem.changed(stored.get(), change);
      if (changed.isEmpty()) {
        return new RevokedTooOften();
      }
      try {
        replace(stored.get(), changed.get(), change);
        return new Changed(UserItem.user(changed.get()));
      } catch (ConditionalCheckFailedException e) {
        stored = e.hasItem() ? Optional.of(new Item(e.item())) : Optional.empty();
      } catch (TransactionCanceledException e) { // only for its condition
        stored = stored(e);
      }
    }
    return new NoSuchUser();
  }

  /** Only a change of both tables is a transaction, which costs twice the units. */
  private void replace(Item stored, Item changed, UserChange change) {
    Put user = ifUnchanged(stored, put(users, changed)).build();
    if (change instanceof UserChange.SetPassword set) {
      write(user, put(hashes, PasswordHashItem.of(stored, set.passwordHash())).build());
    } else {
      call(
          "PutItem on users",
          () ->
              dynamoDb.putItem(put ->
                  put.tableName(users)
                      .item(user.item())
                      .conditionExpression(user.conditionExpression())
                      .expressionAttributeNames(user.expressionAttributeNames())
                      .expressionAttributeValues(user.expressionAttributeValues())
                      .returnValuesOnConditionCheckFailure(ALL_OLD)));
    }
  }

  private static Put.Builder ifUnchanged(Item stored, Put.Builder put) {
    Condition unchanged = Condition.isStill(stored, UserItem.VERSION);
    return put.conditionExpression(unchanged.expression())
        .expressionAttributeNames(unchanged.names())
        .expressionAttributeValues(unchanged.values())
        .returnValuesOnConditionCheckFailure(ALL_OLD);
  }

  @Override
  public void delete(User user) {
    try {
      write(
          TransactWriteItem.builder()
              .delete(delete ->
                  delete
                      .tableName(users)
                      .key(key(user.email()))
                      .conditionExpression("id = :id")
                      .expressionAttributeValues(Map.of(":id", fromS(user.id().toString()))))
              .build(),
          TransactWriteItem.builder()
              .delete(delete -> delete.tableName(hashes).key(key(user.email())))
              .build());
    } catch (TransactionCanceledException e) {
      // The user is gone, for example because this is another try after a lost answer.
    }
  }

  private static Put.Builder put(String table, Item item) {
    return Put.builder().tableName(table).item(item.attributes());
  }

  private void write(Put user, Put hash) {
    write(
        TransactWriteItem.builder().put(user).build(),
        TransactWriteItem.builder().put(hash).build());
  }

  private void write(TransactWriteItem... writes) {
    call(
        "TransactWriteItems on users",
        () -> dynamoDb.transactWriteItems(write -> write.transactItems(writes)));
  }

  /** The user whose condition did not hold; empty if nobody has the address. */
  private static Optional<Item> stored(TransactionCanceledException canceled) {
    return Transactions.failedCondition(canceled)
        .filter(CancellationReason::hasItem)
        .map(reason -> new Item(reason.item()));
  }

  @Override
  public void rehash(Email email, PasswordHash from, PasswordHash to) {
    try {
      call(
          "UpdateItem on password hashes",
          () ->
              dynamoDb.updateItem(update ->
                  update
                      .tableName(hashes)
                      .key(key(email))
                      .updateExpression("SET password_hash = :to")
                      .conditionExpression("password_hash = :from")
                      .expressionAttributeValues(
                          Map.of(":from", fromS(from.value()), ":to", fromS(to.value())))));
    } catch (ConditionalCheckFailedException e) {
      // The password has changed meanwhile, or the SDK has retried a write that had succeeded.
    }
  }
}
