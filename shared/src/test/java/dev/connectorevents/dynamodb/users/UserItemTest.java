package dev.connectorevents.dynamodb.users;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Revocation;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.TestUsers;
import dev.connectorevents.user.UserChange;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UserItemTest {

  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final Revocation REVOCATION =
      new Revocation(NOON.plusSeconds(1), NOON.plusSeconds(9));

  /** A late try of a change would else undo a later one. */
  @Test
  void all_that_a_change_writes_belongs_to_the_version() {
    List<UserChange> changes =
        List.of(
            new UserChange.Enable(),
            new UserChange.SetScope(EventTypes.parse("a.b").orElseThrow()),
            new UserChange.Disable(REVOCATION),
            new UserChange.SetPassword(PasswordHash.of("correct horse", 4), REVOCATION),
            new UserChange.SetRole(Role.CONSUMER, REVOCATION),
            new UserChange.RevokeTokens(REVOCATION));
    assertThat(changes)
        .extracting(Object::getClass)
        .containsAll(permitted(UserChange.class).toList());

    for (UserChange change : changes) {
      Item before = UserItem.of(TestUsers.disabled());
      Item after = UserItem.changed(before, change).orElseThrow();

      Set<String> names = new HashSet<>(before.attributes().keySet());
      names.addAll(after.attributes().keySet());
      assertThat(
              names.stream()
                  .filter(name ->
                      !Objects.equals(before.attributes().get(name), after.attributes().get(name)))
                  .collect(Collectors.toSet()))
          .as(change.toString())
          .isSubsetOf(UserItem.VERSION);
    }
  }

  private static Stream<Class<?>> permitted(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(UserItemTest::permitted)
        : Stream.of(type);
  }
}
