package dev.connectorevents.functions.refresh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.functions.GatewayEvent;
import dev.connectorevents.functions.GatewayEvent.ParsedAnswer;
import dev.connectorevents.functions.TestService;
import dev.connectorevents.http.Handler;
import dev.connectorevents.token.CheckedToken;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RefreshFunctionTest {

  private static final Duration SESSION = Duration.ofDays(7);

  private final TestService service = new TestService();
  private final Handler route =
      RefreshFunction.handler(
          service.guard, new Refresh(service.tokens, TestService.HOUR, SESSION, service.clock));

  @Test
  @Promise({
    "a new token of the same session",
    "Several workers may refresh the same token at once; all of them succeed."
  })
  void each_worker_gets_a_new_token_of_the_same_session_for_a_live_one() {
    String token = service.token();
    Instant login = Instant.parse("2026-11-20T12:00:00Z");
    service.clock.advance(Duration.ofMinutes(48));

    ParsedAnswer answer = refresh(token);
    ParsedAnswer ofAnotherWorker = refresh(token);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().get("token_type").textValue()).isEqualTo("bearer");
    assertThat(answer.body().get("expires_in").intValue()).isEqualTo(3600);
    assertThat(service.tokens.check(answer.body().get("access_token").textValue()))
        .isInstanceOfSatisfying(
            CheckedToken.Valid.class,
            valid -> {
              assertThat(valid.claims().authTime()).isEqualTo(login);
              assertThat(valid.claims().issuedAt()).isEqualTo(login.plus(Duration.ofMinutes(48)));
            });
    assertThat(ofAnotherWorker.body().get("access_token").textValue())
        .isNotEqualTo(answer.body().get("access_token").textValue())
        .isNotEqualTo(token);
  }

  @Test
  @Promise({
    "The session's login is more than `SessionLifetimeDays` ago; only at `refresh`",
    "Refresh then returns 401 `session_ended`. The last token of the session still works"
  })
  void a_chain_of_refreshes_ends_when_the_session_does() {
    String token = service.token();
    Instant end = service.clock.instant().plus(SESSION);
    while (service.clock.instant().plus(Duration.ofMinutes(48)).isBefore(end)) {
      service.clock.advance(Duration.ofMinutes(48));
      token = refresh(token).body().get("access_token").textValue();
    }
    service.clock.advance(Duration.ofMinutes(48));

    assertRefused(refresh(token), "session_ended");
  }

  @Test
  @Promise("A static token cannot be refreshed.")
  void a_static_token_is_not_refreshable() {
    assertRefused(refresh(service.staticToken()), "invalid_token");
  }

  @Test
  @Promise("The service ignores a body.")
  void a_body_is_ignored() {
    GatewayEvent request = GatewayEvent.read("refresh").withToken(service.token()).withBody("{");

    assertThat(request.withHeader("content-type", "text/plain").sendTo(route).status())
        .isEqualTo(200);
  }

  private ParsedAnswer refresh(String token) {
    return GatewayEvent.read("refresh").withToken(token).sendTo(route);
  }

  private static void assertRefused(ParsedAnswer answer, String code) {
    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.code()).isEqualTo(code);
    assertThat(answer.headers()).containsKey("WWW-Authenticate");
  }
}
