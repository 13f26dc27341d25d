package dev.connectorevents.aws;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.local.LocalOptions;
import dev.connectorevents.local.LocalService;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The users' store on DynamoDB Local, in the tables that the template describes. */
class DynamoUsersTest {

  private static LocalService service;
  private static DynamoUsers users;

  @BeforeAll
  static void start() throws IOException {
    service = LocalService.start(LocalOptions.inMemory(Path.of("../template.yaml")));
    users = new DynamoUsers(service.dynamoDb(), "UsersTable");
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void a_user_is_read_as_it_was_created() {
    User named = user("named@example.com", "Shop connector");
    User nameless = user("nameless@example.com", null);

    assertThat(users.create(named)).isTrue();
    assertThat(users.create(nameless)).isTrue();

    assertThat(users.find(named.email())).hasValue(named);
    assertThat(users.find(nameless.email())).hasValue(nameless);
  }

  @Test
  void an_address_belongs_to_one_user() {
    User first = user("taken@example.com", "first");

    assertThat(users.create(first)).isTrue();
    assertThat(users.create(user("taken@example.com", "second"))).isFalse();

    assertThat(users.find(first.email())).hasValue(first);
  }

  @Test
  void an_unknown_address_belongs_to_nobody() {
    assertThat(users.find(new Email("nobody@example.com"))).isEmpty();
  }

  private static User user(String email, @Nullable String name) {
    return new User(
        UUID.randomUUID(),
        new Email(email),
        name,
        PasswordHash.of("secret", 4),
        UserState.ACTIVE,
        Instant.parse("2026-01-01T00:00:00.123Z"),
        Instant.parse("2026-01-02T00:00:00Z"));
  }
}
