package dev.connectorevents.acceptance.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.AwsFault;
import dev.connectorevents.acceptance.service.World;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Operators manage users, and connectors see the effect, over real HTTP. */
class ManageUsersTest {

  @AutoClose private static final World service = World.start();

  @Test
  void a_created_user_logs_in_with_the_returned_password_and_stores_an_event() {
    String password = create("first@example.com");

    String token = token(service.client().login("First@Example.com", password));

    assertThat(post(token).status()).isEqualTo(201);
    assertThat(me(token).body().get("email").textValue()).isEqualTo("first@example.com");
    assertThat(
            service.operator().manageUsers("create", "first@example.com").get("code").textValue())
        .isEqualTo("address_taken");
    assertThat(service.client().login("first@example.com", password).status()).isEqualTo(200);
  }

  @Test
  void a_disabled_user_is_refused_and_an_enabled_one_logs_in_again() {
    String password = create("disabled@example.com");
    String before = token(service.client().login("disabled@example.com", password));

    service.operator().manageUsers("disable", "disabled@example.com");
    assertThat(me(before).code()).isEqualTo("revoked_token");
    assertThat(service.client().login("disabled@example.com", password).code())
        .isEqualTo("invalid_credentials");

    service.operator().manageUsers("enable", "disabled@example.com");
    assertThat(me(before).code()).isEqualTo("revoked_token");
    assertThat(me(token(service.client().login("disabled@example.com", password))).status())
        .isEqualTo(200);
  }

  @Test
  void a_new_password_ends_the_old_one_and_its_sessions() {
    String old = create("reset@example.com");
    String before = token(service.client().login("reset@example.com", old));

    JsonNode reset = service.operator().manageUsers("reset-password", "reset@example.com");

    assertThat(service.client().login("reset@example.com", old).code())
        .isEqualTo("invalid_credentials");
    assertThat(me(before).code()).isEqualTo("revoked_token");
    assertThat(refresh(before).code()).isEqualTo("revoked_token");
    String after =
        token(service.client().login("reset@example.com", reset.get("password").textValue()));
    assertThat(me(after).status()).isEqualTo(200);
    assertThat(refresh(after).status()).isEqualTo(200);
  }

  @Test
  void revoked_tokens_are_refused_and_a_login_right_afterwards_is_not() throws Exception {
    String password = create("revoked@example.com");
    String before = token(service.client().login("revoked@example.com", password));
    String refreshed = token(refresh(before));
    String forever = staticToken("revoked@example.com");
    assertThat(post(before).status()).isEqualTo(201);

    service.operator().manageUsers("revoke-tokens", "revoked@example.com");

    String after = token(service.client().login("revoked@example.com", password));
    assertThat(me(after).status()).isEqualTo(200);
    for (String token : new String[] {before, refreshed, forever}) {
      assertThat(me(token).code()).isEqualTo("revoked_token");
      assertThat(refresh(token).status()).isEqualTo(401);
    }
    Thread.sleep(Duration.ofSeconds(5)); // event creation caches users for up to 5 s
    assertThat(post(before).code()).isEqualTo("revoked_token");
    assertThat(post(forever).code()).isEqualTo("revoked_token");
    assertThat(post(after).status()).isEqualTo(201);
    assertThat(post(token(refresh(after))).status()).isEqualTo(201);
  }

  @Test
  void a_session_lives_between_two_revocations_of_one_second_and_no_longer() {
    String password = create("twice@example.com");
    service.operator().manageUsers("revoke-tokens", "twice@example.com");
    String between = token(service.client().login("twice@example.com", password));
    assertThat(me(between).status()).isEqualTo(200);

    service.operator().manageUsers("revoke-tokens", "twice@example.com");

    assertThat(me(between).code()).isEqualTo("revoked_token");
    assertThat(me(token(service.client().login("twice@example.com", password))).status())
        .isEqualTo(200);
  }

  @Test
  void a_static_token_stores_events_and_is_never_refreshed() {
    create("static@example.com");
    service.operator().manageUsers("revoke-tokens", "static@example.com");

    String token = staticToken("static@example.com");

    assertThat(post(token).status()).isEqualTo(201);
    assertThat(me(token).status()).isEqualTo(200);
    assertThat(refresh(token).code()).isEqualTo("invalid_token");
    service.operator().manageUsers("disable", "static@example.com");
    assertThat(me(token).code()).isEqualTo("revoked_token");
    assertThat(
            service.operator().manageUsers("issue-static-token", "static@example.com").get("code"))
        .hasToString("\"user_disabled\"");
  }

  @Test
  void a_user_whose_write_gets_no_answer_is_created_and_its_password_returned() throws IOException {
    service.fail(AwsFault::ofFirstWrite);
    try {
      JsonNode created = service.operator().manageUsers("create", "lost@example.com");
      JsonNode again = service.operator().manageUsers("create", "lost@example.com");

      String password = created.path("password").asText();
      assertThat(service.client().login("lost@example.com", password).status()).isEqualTo(200);
      assertThat(again.path("code").asText()).isEqualTo("address_taken");
    } finally {
      service.fail(call -> AwsFault.NONE);
    }
  }

  @Test
  void the_function_has_no_route() {
    assertThat(
            service.template().functions().stream()
                .filter(function -> function.id().equals("ManageUsersFunction"))
                .flatMap(function -> function.routes().stream()))
        .isEmpty();
  }

  @Test
  void an_operator_gets_temporarily_unavailable_while_users_cannot_be_read() throws IOException {
    try (World broken = World.start()) {
      broken.dynamoDb().deleteTable(delete -> delete.tableName(broken.name("UsersTable")));

      for (String action : new String[] {"create", "reset-password", "disable", "show"}) {
        assertThat(broken.operator().manageUsers(action, World.EMAIL).get("code").textValue())
            .isEqualTo("temporarily_unavailable");
      }
    }
  }

  private static String create(String email) {
    return service.operator().manageUsers("create", email).get("password").textValue();
  }

  private static String staticToken(String email) {
    return service
        .operator()
        .manageUsers("issue-static-token", email)
        .at("/token/access_token")
        .textValue();
  }

  private static String token(Answer answer) {
    return answer.body().get("access_token").textValue();
  }

  private static Answer me(String token) {
    return service.client().send("GET", "/api/auth/me", BodyPublishers.noBody(), bearer(token));
  }

  private static Answer refresh(String token) {
    return service.client().post("/api/auth/refresh", "", bearer(token));
  }

  private static Answer post(String token) {
    return service
        .client()
        .post("/api/webhook-events", "{\"event_type\":\"a.b\",\"payload\":{}}", bearer(token));
  }

  private static String[] bearer(String token) {
    return new String[] {"Authorization", "Bearer " + token};
  }
}
