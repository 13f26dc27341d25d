package dev.connectorevents.dynamodb.users;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserWithHash;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Converts the hash of a user's password to an item of its table, and back. */
public final class PasswordHashItem {

  static final String PASSWORD_HASH = "password_hash";

  private PasswordHashItem() {}

  /** The attributes of the item: all of them are strings. */
  public static Map<String, AttributeValue> attributes(UserWithHash user) {
    return of(UserItem.of(user.user()), user.passwordHash()).attributes();
  }

  /** The item of this user's hash. */
  static Item of(Item user, PasswordHash hash) {
    return new Item().copy("email", user).copy("id", user).put(PASSWORD_HASH, hash.value());
  }

  /**
   * Adds the hash to its user; empty if the hash is another user's. Tables that were restored from
   * different times may have such a hash, and its password must not open this user's account.
   */
  static Optional<UserWithHash> add(User user, Item hash) {
    return hash.text("id").equals(user.id().toString())
        ? Optional.of(new UserWithHash(user, new PasswordHash(hash.text(PASSWORD_HASH))))
        : Optional.empty();
  }
}
