package dev.connectorevents.functions.me;

import static dev.connectorevents.user.TestUsers.CONNECTOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.functions.GatewayEvent;
import dev.connectorevents.functions.GatewayEvent.ParsedAnswer;
import dev.connectorevents.functions.TestService;
import dev.connectorevents.http.Handler;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.TestUsers;
import dev.connectorevents.user.User;
import org.junit.jupiter.api.Test;

class MeFunctionTest {

  private final TestService service = new TestService();
  private final Handler route = MeFunction.handler(service.guard);

  @Test
  @Promise("the current user")
  void the_current_user_is_described_without_its_secrets() {
    ParsedAnswer answer = me(service.token());

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body())
        .hasToString(
            "{\"id\":\"01890000-0000-7000-8000-000000000001\",\"email\":\"connector@example.com\","
                + "\"name\":\"Shop connector\",\"role\":\"connector\",\"created_at\":\"2026-01-01T00:00:00Z\"}");
  }

  @Test
  @Promise("`name` is absent if the user has none")
  void a_user_may_have_no_name() {
    service.users.put(
        new User(
            CONNECTOR.id(),
            CONNECTOR.email(),
            null,
            CONNECTOR.state(),
            CONNECTOR.role(),
            null,
            CONNECTOR.createdAt(),
            CONNECTOR.tokensValidFrom()));

    assertThat(me(service.token()).body().has("name")).isFalse();
  }

  @Test
  @Promise("`event_types` has the patterns of the user's")
  void a_scope_is_shown() {
    service.users.put(TestUsers.withScope(Role.CONNECTOR, "shopify.*,github.push"));

    assertThat(me(service.token()).body().get("event_types"))
        .hasToString("[\"shopify.*\",\"github.push\"]");
  }

  @Test
  @Promise("a static token, instead of the login")
  void a_static_token_is_accepted() {
    assertThat(me(service.staticToken()).status()).isEqualTo(200);
  }

  private ParsedAnswer me(String token) {
    return GatewayEvent.read("me").withToken(token).sendTo(route);
  }
}
