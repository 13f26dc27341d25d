package dev.connectorevents.aws;

import static dev.connectorevents.aws.DependencyUnavailableException.calling;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserState;
import dev.connectorevents.user.Users;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/** Users in a DynamoDB table whose key is the address. */
public final class DynamoUsers implements Users {

  private final DynamoDbClient dynamoDb;
  private final String table;

  public DynamoUsers(DynamoDbClient dynamoDb, String table) {
    this.dynamoDb = dynamoDb;
    this.table = table;
  }

  @Override
  public Optional<User> find(Email email) {
    var found =
        calling(
            "GetItem on users",
            () ->
                dynamoDb.getItem(get ->
                    get.tableName(table)
                        .key(Map.of("email", fromS(email.value())))
                        .consistentRead(true)));
    return found.hasItem() ? Optional.of(user(new Item(found.item()))) : Optional.empty();
  }

  @Override
  public boolean create(User user) {
    try {
      calling(
          "PutItem on users",
          () ->
              dynamoDb.putItem(put ->
                  put.tableName(table)
                      .item(item(user).attributes())
                      .conditionExpression("attribute_not_exists(email)")));
      return true;
    } catch (ConditionalCheckFailedException e) {
      return false;
    }
  }

  private static Item item(User user) {
    return new Item()
        .put("email", user.email())
        .put("id", user.id())
        .put("name", user.name())
        .put("password_hash", user.passwordHash().value())
        .put("state", user.state().name().toLowerCase(Locale.ROOT))
        .put("created_at", user.createdAt())
        .put("tokens_valid_from", user.tokensValidFrom());
  }

  private static User user(Item item) {
    return new User(
        UUID.fromString(item.text("id")),
        new Email(item.text("email")),
        item.optional("name", Function.identity()),
        new PasswordHash(item.text("password_hash")),
        UserState.valueOf(item.text("state").toUpperCase(Locale.ROOT)),
        Instant.parse(item.text("created_at")),
        Instant.parse(item.text("tokens_valid_from")));
  }
}
