package dev.connectorevents.dynamodb.users;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserChange;
import dev.connectorevents.user.UserState;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Converts a user to an item of the users table, and back. */
public final class UserItem {

  static final String TOKENS_VALID_FROM = "tokens_valid_from";

  /** The scope's patterns; a user without a scope lacks this attribute. */
  static final String EVENT_TYPES = "event_types";

  private static final String STATE = "state";
  private static final String ROLE = "role";

  /** What a change may write, and the id: a new user of the address differs in it. */
  static final List<String> VERSION = List.of("id", STATE, ROLE, EVENT_TYPES, TOKENS_VALID_FROM);

  private UserItem() {}

  /** The attributes of a user's item: all of them are strings. */
  public static Map<String, AttributeValue> attributes(User user) {
    return of(user).attributes();
  }

  static Item of(User user) {
    return new Item()
        .put("email", user.email())
        .put("id", user.id())
        .put("name", user.name())
        .put(STATE, text(user.state()))
        .put(ROLE, user.role().text())
        .put(EVENT_TYPES, user.scope() == null ? null : user.scope().text())
        .put("created_at", user.createdAt())
        .put(TOKENS_VALID_FROM, user.tokensValidFrom());
  }

  /**
   * The item after a change; empty if the user's sessions have been ended too often. It does not
   * parse the stored scope, so that a change replaces one that cannot be read too.
   */
  static Optional<Item> changed(Item stored, UserChange change) {
    Item changed = new Item(new HashMap<>(stored.attributes()));
    return switch (change) {
      case UserChange.Enable() -> Optional.of(changed.put(STATE, text(UserState.ACTIVE)));
      case UserChange.SetScope(EventTypes scope) -> {
        changed.attributes().remove(EVENT_TYPES);
        yield Optional.of(changed.put(EVENT_TYPES, scope == null ? null : scope.text()));
      }
      case UserChange.Ending ending ->
          ending
              .revocation()
              .after(Instant.parse(stored.text(TOKENS_VALID_FROM)))
              .map(from -> ended(changed, ending).put(TOKENS_VALID_FROM, from));
    };
  }

  private static Item ended(Item item, UserChange.Ending change) {
    return switch (change) {
      case UserChange.Disable disable -> item.put(STATE, text(UserState.DISABLED));
      case UserChange.SetRole set -> item.put(ROLE, set.role().text());
      case UserChange.SetPassword set -> item; // the hash is in another table
      case UserChange.RevokeTokens revoke -> item;
    };
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
  private static @Nullable EventTypes scope(Item item) {
    return item.has(EVENT_TYPES)
        ? item.ifText(EVENT_TYPES)
            .flatMap(EventTypes::parse)
            .orElseThrow(() ->
                new DependencyUnavailableException(
                    "the event_types of the user " + item.text("id") + " are no scope"))
        : null;
  }

  private static String text(UserState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }
}
