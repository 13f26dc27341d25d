package dev.connectorevents.aws;

import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Revocation;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserChange;
import dev.connectorevents.user.UserState;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;

/** A user as an item of the users table, and back. */
final class UserItem {

  static final String TOKENS_VALID_FROM = "tokens_valid_from";

  private static final String PASSWORD_HASH = "password_hash";
  private static final String STATE = "state";

  private UserItem() {}

  static Item of(User user) {
    return new Item()
        .put("email", user.email())
        .put("id", user.id())
        .put("name", user.name())
        .put(PASSWORD_HASH, user.passwordHash().value())
        .put(STATE, text(user.state()))
        .put("created_at", user.createdAt())
        .put(TOKENS_VALID_FROM, user.tokensValidFrom());
  }

  /** Only the attributes that the change gives a new value. */
  static Item changed(UserChange change) {
    return switch (change) {
      case UserChange.Enable() -> new Item().put(STATE, text(UserState.ACTIVE));
      case UserChange.Disable(Revocation revocation) ->
          revoked(revocation).put(STATE, text(UserState.DISABLED));
      case UserChange.SetPassword(PasswordHash hash, Revocation revocation) ->
          revoked(revocation).put(PASSWORD_HASH, hash.value());
      case UserChange.RevokeTokens(Revocation revocation) -> revoked(revocation);
    };
  }

  private static Item revoked(Revocation revocation) {
    return new Item().put(TOKENS_VALID_FROM, revocation.from());
  }

  static User user(Item item) {
    return new User(
        UUID.fromString(item.text("id")),
        new Email(item.text("email")),
        item.optional("name", Function.identity()),
        new PasswordHash(item.text(PASSWORD_HASH)),
        UserState.valueOf(item.text(STATE).toUpperCase(Locale.ROOT)),
        Instant.parse(item.text("created_at")),
        Instant.parse(item.text(TOKENS_VALID_FROM)));
  }

  private static String text(UserState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }
}
