package dev.connectorevents.dynamodb.users;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Revocation;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.Scope;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserChange;
import dev.connectorevents.user.UserState;
import dev.connectorevents.user.UserWithHash;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Converts a user to an item of the users table, and back. */
public final class UserItem {

  static final String TOKENS_VALID_FROM = "tokens_valid_from";

  /** The scope's patterns; a user without a scope lacks this attribute. */
  static final String EVENT_TYPES = "event_types";

  /** What {@link #user} reads, as a projection expression. */
  static final String PROJECTION =
      "email, id, #name, #state, #role, event_types, created_at, tokens_valid_from";

  /** What {@link #userWithHash} reads, as a projection expression. */
  static final String PROJECTION_WITH_HASH = PROJECTION + ", password_hash";

  /** Placeholders in the projections, for names that DynamoDB reserves. */
  static final Map<String, String> RESERVED_NAMES =
      Map.of("#name", "name", "#state", "state", "#role", "role");

  private static final String PASSWORD_HASH = "password_hash";
  private static final String STATE = "state";
  private static final String ROLE = "role";

  private UserItem() {}

  /** The attributes of a user's item: all of them are strings. */
  public static Map<String, AttributeValue> attributes(UserWithHash user) {
    return of(user.user(), user.passwordHash()).attributes();
  }

  static Item of(User user, PasswordHash passwordHash) {
    return new Item()
        .put("email", user.email())
        .put("id", user.id())
        .put("name", user.name())
        .put(PASSWORD_HASH, passwordHash.value())
        .put(STATE, text(user.state()))
        .put(ROLE, user.role().text())
        .put(EVENT_TYPES, user.scope() == null ? null : user.scope().text())
        .put("created_at", user.createdAt())
        .put(TOKENS_VALID_FROM, user.tokensValidFrom());
  }

  /** The attributes that the change sets, and no others. */
  static Item changed(UserChange.Ending change) {
    return switch (change) {
      case UserChange.Disable(Revocation revocation) ->
          revoked(revocation).put(STATE, text(UserState.DISABLED));
      case UserChange.SetPassword(PasswordHash hash, Revocation revocation) ->
          revoked(revocation).put(PASSWORD_HASH, hash.value());
      case UserChange.SetRole(Role role, Revocation revocation) ->
          revoked(revocation).put(ROLE, role.text());
      case UserChange.RevokeTokens(Revocation revocation) -> revoked(revocation);
    };
  }

  /** The attributes that {@link UserChange.Enable} sets. */
  static Item enabled() {
    return new Item().put(STATE, text(UserState.ACTIVE));
  }

  private static Item revoked(Revocation revocation) {
    return new Item().put(TOKENS_VALID_FROM, revocation.from());
  }

  static User user(Item item) {
    return new User(
        UUID.fromString(item.text("id")),
        new Email(item.text("email")),
        item.optional("name", Function.identity()),
        UserState.valueOf(item.text(STATE).toUpperCase(Locale.ROOT)),
        Role.parse(item.text(ROLE)).orElseThrow(),
        scope(item),
        Instant.parse(item.text("created_at")),
        Instant.parse(item.text(TOKENS_VALID_FROM)));
  }

  /** Never takes a scope that it cannot read for no scope: that would allow everything. */
  private static @Nullable Scope scope(Item item) {
    return item.has(EVENT_TYPES)
        ? item.ifText(EVENT_TYPES)
            .flatMap(Scope::parse)
            .orElseThrow(() ->
                new DependencyUnavailableException(
                    "the event_types of the user " + item.text("id") + " are no scope"))
        : null;
  }

  static UserWithHash userWithHash(Item item) {
    return new UserWithHash(user(item), new PasswordHash(item.text(PASSWORD_HASH)));
  }

  private static String text(UserState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }
}
