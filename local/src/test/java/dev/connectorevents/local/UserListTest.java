package dev.connectorevents.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.dynamodb.users.DynamoUsers;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserState;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code operate/user list} on a local service with 250 users: two full pages and a part of a
 * third.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "these tests need bash")
@SuppressWarnings("NullAway.Init")
class UserListTest {

  private static final int USERS = 250;
  private static final String SHOP = "shop-007@example.com";

  @AutoClose private static final ServedLocally service = ServedLocally.start();

  private static Result listed;

  @TempDir private Path folder;

  @BeforeAll
  static void listUsers() throws IOException, InterruptedException {
    CommandOnPath.assumeWorks("python3", "--version");
    DynamoUsers users =
        new DynamoUsers(
            service.service().dynamoDb(),
            service.service().name("UsersTable"),
            service.service().name("PasswordHashesTable"));
    PasswordHash hash = PasswordHash.of("secret", 4);
    for (int i = 1; i < USERS; i++) { // the service created one at its start
      users.create(user(i), hash);
    }
    service.manageUsers("disable", SHOP);
    listed = bash("../operate/user --port \"$PORT\" list");
  }

  private static User user(int number) {
    Instant created = Instant.parse("2026-01-01T00:00:00Z");
    return new User(
        new UUID(0, number),
        new Email("shop-%03d@example.com".formatted(number)),
        number % 2 == 0 ? null : "Shop " + number,
        UserState.ACTIVE,
        number % 5 == 0 ? Role.CONSUMER : Role.CONNECTOR,
        null,
        created,
        created);
  }

  @Test
  void the_function_returns_a_hundred_users_at_a_time_and_no_hash() {
    String path = "/2015-03-31/functions/ManageUsersFunction/invocations";
    List<Integer> sizes = new ArrayList<>();
    String event = "{\"action\":\"list\"}";
    while (!event.isEmpty()) {
      String body = service.send("POST", path, event).body();
      JsonNode page = ServedLocally.read(body);
      sizes.add(page.path("users").size());
      assertThat(body).doesNotContain("hash", "$2a$");
      event = page.has("next") ? "{\"action\":\"list\",\"next\":" + page.get("next") + "}" : "";
    }

    assertThat(sizes).containsExactly(100, 100, 50);
  }

  @Test
  void all_pages_are_one_table_sorted_by_address() {
    List<String> expected = new ArrayList<>();
    for (int i = 1; i < USERS; i++) {
      expected.add("shop-%03d@example.com".formatted(i));
    }
    expected.add(ServedLocally.EMAIL);
    assertThat(listed.exitCode()).isZero();
    assertThat(listed.output().lines().skip(1))
        .map(line -> line.split(" ", 2)[0])
        .containsExactlyElementsOf(expected);
  }

  @Test
  void a_line_has_a_user_and_never_its_hash() {
    assertThat(listed.output())
        .startsWith(
            "email                 role       state     created at            "
                + "id                                    event types  name\n")
        .contains(
            "\nshop-005@example.com  consumer   active    2026-01-01T00:00:00Z  "
                + "00000000-0000-0000-0000-000000000005  *            Shop 5\n",
            "\nshop-006@example.com  connector  active    2026-01-01T00:00:00Z  "
                + "00000000-0000-0000-0000-000000000006  *\n",
            "\nshop-007@example.com  connector  disabled  2026-01-01T00:00:00Z  ")
        .doesNotContain("$2a$");
  }

  @Test
  void a_reader_that_ends_early_is_no_error() throws Exception {
    Path errors = folder.resolve("errors");

    bash("../operate/user --port \"$PORT\" list 2>'" + errors + "' | true");

    assertThat(errors).isEmptyFile();
  }

  private static Result bash(String command) throws IOException, InterruptedException {
    return CommandOnPath.of("bash", "-c", "PORT=%d; %s".formatted(service.url().getPort(), command))
        .run(Redirect.INHERIT);
  }
}
