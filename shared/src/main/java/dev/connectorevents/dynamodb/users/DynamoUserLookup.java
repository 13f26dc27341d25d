package dev.connectorevents.dynamodb.users;

import static dev.connectorevents.dynamodb.Calls.call;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserLookup;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;

/**
 * Reads users from their DynamoDB table. It does not know the table of password hashes, and most
 * functions have no right to it.
 */
public final class DynamoUserLookup implements UserLookup {

  private final DynamoDbClient dynamoDb;
  private final String table;

  public DynamoUserLookup(DynamoDbClient dynamoDb, String table) {
    this.dynamoDb = dynamoDb;
    this.table = table;
  }

  @Override
  public Optional<User> find(Email email, Predicate<User> acceptsCached) {
    return read(email).map(UserItem::user);
  }

  Optional<Item> read(Email email) {
    GetItemResponse read =
        call(
            "GetItem on users",
            () ->
                dynamoDb.getItem(get -> get.tableName(table).key(key(email)).consistentRead(true)));
    return read.hasItem() ? Optional.of(new Item(read.item())) : Optional.empty();
  }

  static Map<String, AttributeValue> key(Email email) {
    return Map.of("email", fromS(email.value()));
  }
}
