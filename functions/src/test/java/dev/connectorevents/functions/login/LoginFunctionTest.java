package dev.connectorevents.functions.login;

import static dev.connectorevents.user.TestUsers.CONNECTOR;
import static dev.connectorevents.user.TestUsers.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.functions.GatewayEvent;
import dev.connectorevents.functions.GatewayEvent.ParsedAnswer;
import dev.connectorevents.functions.TestService;
import dev.connectorevents.http.Handler;
import dev.connectorevents.token.CheckedToken;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.InMemoryLoginAttempts;
import dev.connectorevents.user.InMemoryUsers;
import dev.connectorevents.user.LoginAttempts;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.TestUsers;
import dev.connectorevents.user.UserWithHash;
import dev.connectorevents.user.Users;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoginFunctionTest {

  private final TestService service = new TestService();
  private final InMemoryLoginAttempts attempts = new InMemoryLoginAttempts();
  private final Handler route =
      LoginFunction.handler(login(attempts, service.users, TestUsers.COST));

  @Test
  @Promise("`expires_in` is the token's lifetime in seconds, an integer.")
  void the_right_password_gives_a_token() {
    ParsedAnswer answer = GatewayEvent.read("login").sendTo(route);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.headers()).containsEntry("Content-Type", "application/json");
    assertThat(answer.body().get("token_type").textValue()).isEqualTo("bearer");
    assertThat(answer.body().get("expires_in").isIntegralNumber()).isTrue();
    assertThat(answer.body().get("expires_in").intValue()).isEqualTo(3600);
    assertThat(service.tokens.check(answer.body().get("access_token").textValue()))
        .isInstanceOfSatisfying(
            CheckedToken.Valid.class,
            valid -> {
              assertThat(valid.claims().userId()).isEqualTo(CONNECTOR.id());
              assertThat(valid.claims().authTime()).isEqualTo("2026-11-20T12:00:00Z");
            });
  }

  @Test
  @Promise("The service trims the address and converts it to lower case before the lookup.")
  void an_address_is_found_in_any_case() {
    assertThat(login("\\t Connector@EXAMPLE.com ", PASSWORD).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "connector@example.com, wrong",
    "connector@example.com, ''",
    "nobody@example.com, correct horse battery staple",
    "connector@example.com, 'correct horse battery staple '",
  })
  @Promise("A wrong password, an unknown address and a disabled user get the same 401")
  void a_wrong_password_and_an_unknown_address_get_the_same_answer(String email, String password) {
    ParsedAnswer answer = login(email, password);

    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.body()).isEqualTo(login("someone.else@example.com", "something else").body());
    assertThat(answer.code()).isEqualTo("invalid_credentials");
    assertThat(answer.headers()).containsKey("WWW-Authenticate");
  }

  @Test
  @Promise("A wrong password, an unknown address and a disabled user get the same 401")
  void a_disabled_user_gets_the_same_answer_too() {
    service.users.put(TestUsers.disabled());

    assertThat(GatewayEvent.read("login").sendTo(route).body())
        .isEqualTo(login("nobody@example.com", "x").body());
  }

  @Test
  @Promise("Each costs one bcrypt check.")
  void every_failed_login_costs_the_same_bcrypt_work() {
    BcryptWork wrong = BcryptWork.of(() -> login("connector@example.com", "wrong"));
    BcryptWork unknown = BcryptWork.of(() -> login("nobody@example.com", "wrong"));
    BcryptWork tooLong =
        BcryptWork.of(
            () -> login("connector@example.com", "a".repeat(PasswordHash.MAX_PASSWORD_BYTES + 1)));
    service.users.put(TestUsers.disabled());
    BcryptWork disabled = BcryptWork.of(() -> login("connector@example.com", PASSWORD));

    assertThat(wrong).isEqualTo(new BcryptWork(1, 2 << TestUsers.COST));
    assertThat(List.of(unknown, tooLong, disabled)).containsOnly(wrong);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                         | /email /password",
        "{\"email\":null,\"password\":null}         | /email /password",
        "{\"email\":1,\"password\":[]}              | /email /password",
        "{\"email\":\"a@b\"}                        | /password",
        "{\"email\":\"a@b\",\"password\":{\"a\":1}} | /password",
        "{\"password\":\"x\"}                       | /email",
        "{\"email\":\"\",\"password\":\"x\"}        | /email",
        "{\"email\":\"nobody\",\"password\":\"x\"}  | /email",
        "{\"email\":\"a\\r\\nb@c\",\"password\":\"\"} | /email",
      })
  @Promise("lists **all** faults of the body, up to 100")
  void every_broken_rule_is_named(String body, String pointers) {
    ParsedAnswer answer = GatewayEvent.read("login").withBody(body).sendTo(route);

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.code()).isEqualTo("validation_failed");
    assertThat(answer.body().get("errors").findValuesAsText("pointer"))
        .containsExactly(pointers.split(" ", -1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "{\"email\":\"a@b\",\"email\":\"a@b\"}"})
  @Promise("or has a name twice (in the members of the request or of an event, or in `_meta`)")
  void a_body_that_is_not_one_object_is_malformed(String body) {
    ParsedAnswer answer = GatewayEvent.read("login").withBody(body).sendTo(route);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo("malformed_json");
  }

  @Test
  @Promise("The service ignores members that it does not know")
  void unknown_members_are_ignored() {
    GatewayEvent event = GatewayEvent.read("login");
    event.withBody(
        event.body().replace("{", "{\"otp\":{\"a\":[" + "9".repeat(2_000) + "],\"a\":1},"));

    assertThat(event.sendTo(route).status()).isEqualTo(200);
  }

  @Test
  @Promise({
    "Too many failed logins",
    "After 10 failures for one address from one source, that source gets 429",
    "for this address, without a password check."
  })
  void too_many_failures_make_their_source_wait_and_no_other() {
    for (int i = 0; i < LoginAttempts.MAX_FAILURES; i++) {
      assertThat(login("connector@example.com", "wrong").status()).isEqualTo(401);
    }

    ParsedAnswer blocked = GatewayEvent.read("login").sendTo(route);
    ParsedAnswer elsewhere = GatewayEvent.read("login").from("192.0.2.99").sendTo(route);

    assertThat(blocked.status()).isEqualTo(429);
    assertThat(blocked.code()).isEqualTo("too_many_attempts");
    assertThat(blocked.headers()).containsEntry("Retry-After", "900");
    assertThat(elsewhere.status()).isEqualTo(200);
    assertThat(BcryptWork.of(() -> login("connector@example.com", PASSWORD)))
        .isEqualTo(new BcryptWork(0, 0));
  }

  @Test
  void too_many_failures_at_an_unknown_address_wait_too() {
    for (int i = 0; i < LoginAttempts.MAX_FAILURES; i++) {
      assertThat(login("nobody@example.com", "wrong").status()).isEqualTo(401);
    }

    assertThat(login("nobody@example.com", "wrong").status()).isEqualTo(429);
    assertThat(GatewayEvent.read("login").sendTo(route).status()).isEqualTo(200);
  }

  @Test
  void a_failure_of_our_own_is_not_counted() {
    Login failing =
        login(
            attempts,
            new InMemoryUsers() {
              @Override
              public synchronized Optional<UserWithHash> findWithHash(Email email) {
                throw new IllegalStateException("unreachable");
              }
            },
            TestUsers.COST);
    for (int i = 0; i < 2 * LoginAttempts.MAX_FAILURES; i++) {
      assertThat(GatewayEvent.read("login").sendTo(LoginFunction.handler(failing)).status())
          .isEqualTo(500);
    }

    assertThat(GatewayEvent.read("login").sendTo(route).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({"wrong", PASSWORD})
  void a_login_waits_if_concurrent_ones_reach_the_limit_meanwhile(String password) {
    Login overtaken = login(new LimitReachedMeanwhile(), service.users, TestUsers.COST);
    String body = "{\"email\":\"connector@example.com\",\"password\":\"" + password + "\"}";

    ParsedAnswer answer =
        GatewayEvent.read("login").withBody(body).sendTo(LoginFunction.handler(overtaken));

    assertThat(answer.code()).isEqualTo("too_many_attempts");
    assertThat(answer.headers()).containsEntry("Retry-After", "900");
  }

  private static final class LimitReachedMeanwhile implements LoginAttempts {

    @Override
    public Optional<Duration> toWait(Email email, String source) {
      return Optional.empty();
    }

    @Override
    public Optional<Duration> failed(Email email, String source) {
      return Optional.of(WINDOW);
    }

    @Override
    public Optional<Duration> succeeded(Email email, String source) {
      return Optional.of(WINDOW);
    }
  }

  @Test
  void a_hash_of_another_cost_is_replaced_so_that_all_addresses_take_the_same_time() {
    Login dearer = login(attempts, service.users, TestUsers.COST + 1);
    GatewayEvent right = GatewayEvent.read("login");

    assertThat(right.sendTo(LoginFunction.handler(dearer)).status()).isEqualTo(200);

    assertThat(service.users.findWithHash(CONNECTOR.email()))
        .hasValueSatisfying(
            user -> assertThat(user.passwordHash().cost()).isEqualTo(TestUsers.COST + 1));
    assertThat(right.sendTo(LoginFunction.handler(dearer)).status()).isEqualTo(200);
  }

  @Test
  void a_hash_of_the_same_cost_stays() {
    assertThat(GatewayEvent.read("login").sendTo(route).status()).isEqualTo(200);

    assertThat(service.users.findWithHash(CONNECTOR.email()))
        .hasValueSatisfying(user -> assertThat(user.passwordHash()).isEqualTo(TestUsers.HASH));
  }

  @Test
  void the_password_is_hidden_in_every_text_of_the_request() {
    assertThat(new LoginRequest(CONNECTOR.email(), PASSWORD))
        .hasToString("LoginRequest[email=connector@example.com]");
  }

  private Login login(LoginAttempts counting, Users users, int cost) {
    return new Login(counting, users, service.tokens, TestService.HOUR, cost, service.clock);
  }

  private ParsedAnswer login(String email, String password) {
    return GatewayEvent.read("login")
        .withBody("{\"email\":\"" + email + "\",\"password\":\"" + password + "\"}")
        .sendTo(route);
  }
}
