package dev.connectorevents.functions.operators.users;

import static dev.connectorevents.user.TestUsers.CONNECTOR;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.Promise;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.token.CheckedToken;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.TestUsers;
import dev.connectorevents.user.User;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The effects and the answers of an operator's actions, such as {@code create}. {@code
 * RevocationTest} has the actions that end sessions.
 */
class UserActionsTest {

  private final ManagingOperator operator = new ManagingOperator();

  @Test
  @Promise("generates one of 32 letters and digits, and returns it only once.")
  void a_user_is_created_with_a_password_that_is_returned_once() {
    JsonNode answer = operator.act("create", "new@example.com", "\"name\":\"Shop\"");

    User user = operator.user("new@example.com");
    assertThat(answer.get("user"))
        .hasToString(
            ("{\"id\":\"%s\",\"email\":\"new@example.com\",\"name\":\"Shop\",\"state\":\"active\","
                    + "\"role\":\"connector\",\"created_at\":\"2026-11-20T12:00:00Z\","
                    + "\"tokens_valid_from\":\"2026-11-20T12:00:00Z\"}")
                .formatted(user.id()));
    assertThat(answer.get("password").textValue()).matches("[A-Za-z0-9]{32}");
    assertThat(operator.hasPassword("new@example.com", answer.get("password").textValue()))
        .isTrue();
    assertThat(operator.act("show", "new@example.com").has("password")).isFalse();
  }

  @Test
  void no_two_generated_passwords_are_the_same() {
    Set<String> passwords = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      passwords.add(
          operator.act("reset-password", ManagingOperator.ADDRESS).get("password").textValue());
      operator.service.clock.advance(Duration.ofSeconds(1));
    }
    assertThat(passwords).hasSize(50);
  }

  @Test
  @Promise("also accept a `password` of your own.")
  void a_password_that_the_operator_chose_is_not_repeated() {
    JsonNode created =
        operator.act("create", "new@example.com", "\"name\":null,\"password\":\"twelve chars\"");
    JsonNode reset =
        operator.act("reset-password", "new@example.com", "\"password\":\"chars: twelve\"");

    assertThat(created.has("password")).isFalse();
    assertThat(created.get("user").has("name")).isFalse();
    assertThat(reset.has("password")).isFalse();
    assertThat(operator.hasPassword("new@example.com", "chars: twelve")).isTrue();
  }

  @Test
  @Promise("`role` is `connector`, the default of `create`, or `consumer`.")
  void a_role_is_given_at_creation_or_later() {
    operator.act("create", "new@example.com", "\"role\":\"consumer\"");
    assertThat(operator.user("new@example.com").role()).isEqualTo(Role.CONSUMER);

    JsonNode answer = operator.act("set-role", "new@example.com", "\"role\":\"connector\"");

    assertThat(answer.at("/user/role").textValue()).isEqualTo("connector");
    assertThat(operator.user("new@example.com").role()).isEqualTo(Role.CONNECTOR);
  }

  @Test
  @Promise("Sets the scope. `null` lifts it.")
  void a_scope_is_given_at_creation_or_later_until_it_is_lifted() {
    JsonNode created =
        operator.act("create", "new@example.com", "\"event_types\":[\"shopify.*\",\"a.b\"]");
    assertThat(created.at("/user/event_types")).hasToString("[\"shopify.*\",\"a.b\"]");

    JsonNode changed = operator.act("set-scope", "new@example.com", "\"event_types\":[\"*\"]");
    assertThat(changed.at("/user/event_types")).hasToString("[\"*\"]");
    assertThat(operator.act("show", "new@example.com").get("user")).isEqualTo(changed.get("user"));

    JsonNode lifted = operator.act("set-scope", "new@example.com", "\"event_types\":null");
    assertThat(lifted.get("user").has("event_types")).isFalse();
    assertThat(operator.user("new@example.com").scope()).isNull();
  }

  @Test
  @Promise({"A new scope ends no session.", "`set-role` keeps the scope."})
  void a_scope_survives_a_new_role_and_a_new_scope_ends_no_session() {
    String token = operator.login();

    operator.act("set-scope", ManagingOperator.ADDRESS, "\"event_types\":[\"a.b\"]");
    assertThat(operator.isLive(token)).isTrue();

    operator.act("set-role", ManagingOperator.ADDRESS, "\"role\":\"consumer\"");
    assertThat(operator.user(ManagingOperator.ADDRESS).scope())
        .isEqualTo(EventTypes.parse("a.b").orElseThrow());
  }

  @Test
  @Promise("`list` returns at most 100 users, in no particular order, and never a hash")
  void all_users_are_listed_as_show_shows_them_a_hundred_at_a_time() {
    for (int i = 0; i < 249; i++) {
      operator.service.users.put(TestUsers.user("shop-%03d@example.com".formatted(i)));
    }

    List<JsonNode> users = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    String next = "null";
    while (!next.isEmpty()) {
      JsonNode page = operator.invoke("{\"action\":\"list\",\"next\":" + next + "}");
      page.get("users").forEach(users::add);
      sizes.add(page.get("users").size());
      next = page.has("next") ? page.get("next").toString() : "";
    }

    assertThat(sizes).containsExactly(100, 100, 50);
    assertThat(users).extracting(user -> user.get("email").textValue()).doesNotHaveDuplicates();
    assertThat(users).contains(operator.act("show", ManagingOperator.ADDRESS).get("user"));
  }

  @Test
  @Promise("A new user of that address has a new id and shares no keys with the deleted user")
  void a_deleted_user_is_gone_and_a_new_one_of_its_address_has_another_id_and_password() {
    String token = operator.login();
    JsonNode before = operator.act("show", ManagingOperator.ADDRESS).get("user");

    JsonNode deleted = operator.act("delete", ManagingOperator.ADDRESS).get("user");

    assertThat(deleted).isEqualTo(((ObjectNode) before.deepCopy()).put("state", "deleted"));
    assertThat(operator.isLive(token)).isFalse();
    for (String action : List.of("show", "delete")) {
      assertThat(operator.act(action, ManagingOperator.ADDRESS).path("code").asText())
          .isEqualTo("user_not_found");
    }
    JsonNode created = operator.act("create", ManagingOperator.ADDRESS);
    assertThat(created.at("/user/id")).isNotEqualTo(before.get("id"));
    assertThat(operator.hasPassword(ManagingOperator.ADDRESS, TestUsers.PASSWORD)).isFalse();
    assertThat(operator.isLive(token)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"'\"days\":1', 1", "'\"days\":30', 30", "'\"days\":null', 30"})
  @Promise("Issues a static token")
  void a_static_token_lives_for_days_and_has_no_login(String member, int days) {
    JsonNode token =
        operator.act("issue-static-token", ManagingOperator.ADDRESS, member).get("token");

    assertThat(token.get("token_type").textValue()).isEqualTo("bearer");
    assertThat(token.get("expires_in").longValue()).isEqualTo(days * 86_400L);
    assertThat(operator.service.tokens.check(token.get("access_token").textValue()))
        .isInstanceOfSatisfying(
            CheckedToken.Valid.class,
            valid -> {
              assertThat(valid.claims().authTime()).isNull();
              assertThat(valid.claims().userId()).isEqualTo(CONNECTOR.id());
            });
  }

  @ParameterizedTest
  @CsvSource({
    "create, connector@example.com, 409, address_taken, '\"role\":null'",
    "disable, nobody@example.com, 404, user_not_found,",
    "enable, nobody@example.com, 404, user_not_found,",
    "reset-password, nobody@example.com, 404, user_not_found,",
    "revoke-tokens, nobody@example.com, 404, user_not_found,",
    "set-role, nobody@example.com, 404, user_not_found, '\"role\":\"consumer\"'",
    "set-scope, nobody@example.com, 404, user_not_found, '\"event_types\":null'",
    "issue-static-token, nobody@example.com, 404, user_not_found,",
    "delete, nobody@example.com, 404, user_not_found,",
    "show, nobody@example.com, 404, user_not_found,",
    "issue-static-token, disabled@example.com, 409, user_disabled,",
  })
  @Promise("No user has this address")
  void an_impossible_action_is_a_problem(
      String action, String email, int status, String code, @Nullable String members) {
    operator.act("create", "disabled@example.com");
    operator.act("disable", "disabled@example.com");

    JsonNode answer =
        members == null ? operator.act(action, email) : operator.act(action, email, members);

    assertThat(answer.get("status").intValue()).isEqualTo(status);
    assertThat(answer.get("code").textValue()).isEqualTo(code);
    assertThat(answer.get("request_id").textValue()).isEqualTo(operator.context.getAwsRequestId());
    assertThat(answer.has("user")).isFalse();
  }
}
