package dev.connectorevents.acceptance.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.Routes;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.service.WorldClock;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Every route refuses a token whose session has ended, and every token while it cannot tell. */
class SessionTest {

  @AutoClose
  private final World service = World.start(new Setup().inProcess().clock(WorldClock.standing()));

  private final String token = service.client().token();

  @Test
  @Promise("It allows 30 seconds of clock skew.")
  void a_token_ends_with_its_lifetime() {
    service.clock().pass(Duration.ofHours(1).plusSeconds(31));

    assertEverywhere(401, "expired_token");
  }

  @Test
  @Promise({
    "so a disabled or revoked user gets 401 at once.",
    "at once on `refresh` and `me`, within 5 seconds on the routes for events"
  })
  void a_revoked_token_is_out_of_refresh_and_me_at_once_and_of_all_routes_after_five_seconds() {
    Routes.guarded()
        .forEach(route -> route.send(service, token)); // now the functions may have cached the user
    service.operator().manageUsers("revoke-tokens", World.EMAIL);

    assertThat(Routes.REFRESH.send(service, token).code()).isEqualTo("revoked_token");
    assertThat(Routes.ME.send(service, token).code()).isEqualTo("revoked_token");
    service.clock().pass(Duration.ofSeconds(5));
    assertEverywhere(401, "revoked_token");
  }

  @Test
  @Promise("If the service cannot read the keys or the user, it returns 503.")
  void nobody_is_let_in_while_users_cannot_be_read() {
    service.dynamoDb().deleteTable(delete -> delete.tableName(service.name("UsersTable")));

    assertEverywhere(503, "temporarily_unavailable");
    Answer login = service.client().login(World.EMAIL, World.PASSWORD);
    assertThat(login.status()).isEqualTo(503);
    assertThat(login.header("retry-after")).isEqualTo("1");
  }

  private void assertEverywhere(int status, String code) {
    for (Routes route : Routes.guarded()) {
      Answer answer = route.send(service, token);
      assertThat(answer.status()).as(route.key()).isEqualTo(status);
      assertThat(answer.code()).as(route.key()).isEqualTo(code);
    }
  }
}
