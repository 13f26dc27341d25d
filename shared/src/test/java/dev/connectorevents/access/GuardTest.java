package dev.connectorevents.access;

import static dev.connectorevents.user.TestUsers.CONNECTOR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.Promise;
import dev.connectorevents.event.EventType;
import dev.connectorevents.http.Handler;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import dev.connectorevents.token.InMemorySigningKeys;
import dev.connectorevents.token.KeyRing;
import dev.connectorevents.token.Tokens;
import dev.connectorevents.user.InMemoryUsers;
import dev.connectorevents.user.RememberedUsers;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.TestUsers;
import dev.connectorevents.user.User;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuardTest {

  private final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
  private final InMemoryUsers users = new InMemoryUsers();
  private final Tokens tokens =
      new Tokens("us", new KeyRing(new InMemorySigningKeys(), clock), clock);
  private final Handler handler =
      new Guard(tokens, users)
          .protect((request, caller) -> Response.json(200, Map.of("id", caller.user().id() + "")));
  private final Handler cached =
      new Guard(tokens, new RememberedUsers(users, Duration.ofSeconds(5), clock))
          .protect(
              Role.CONNECTOR,
              (request, caller) ->
                  Response.json(
                      200,
                      "%s %s %s"
                          .formatted(
                              caller.mayUse(new EventType("a.b")),
                              caller.mayUse(new EventType("a.c")),
                              caller.mayUseAll())));
  private String token = "";

  @BeforeEach
  void logIn() {
    users.put(CONNECTOR);
    token = tokens.issue(CONNECTOR, clock.instant(), Duration.ofHours(1)).value();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bearer ", "bearer ", "BEARER ", "  bEaReR   "})
  @Promise("The scheme's name may have any case")
  void a_token_is_accepted_with_the_scheme_in_any_case(String scheme) {
    Response response = call(scheme + token);

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.body()).contains(CONNECTOR.id().toString());
  }

  @ParameterizedTest
  @CsvSource({"CONNECTOR, 200", "CONSUMER, 403"})
  @Promise("The user's role does not allow this route")
  void a_route_of_one_role_refuses_users_of_others(Role role, int status) {
    Handler guarded =
        new Guard(tokens, users).protect(role, (request, caller) -> Response.json(200, Map.of()));

    Response response = guarded.handle(request("Bearer " + token));

    assertThat(response.status()).isEqualTo(status);
    assertThat(response.body().contains("\"code\":\"forbidden\"")).isEqualTo(status == 403);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                   | missing_token",
        "Bearer               | missing_token",
        "Basic dTpw           | missing_token",
        "@                    | missing_token",
        "Bearer@              | missing_token",
        "Bearer x             | invalid_token",
        "Bearer @x            | invalid_token",
        "Bearer @ @           | invalid_token",
        "Bearer @, Bearer @   | invalid_token",
        "Bearer Bearer @      | invalid_token",
      })
  @Promise({
    "`Bearer <token>`, one token.",
    "The service did not issue this token, or it is a static token at `refresh`"
  })
  void anything_but_one_token_is_refused(String header, String code) {
    assertRefused(call(header.replace("@", token)), code);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "Bearer Bearer @ | The token begins with Bearer again",
        "bearer bearer @ | The token begins with Bearer again",
        "Bearer \"@\"     | The token is in quotes",
        "Bearer '@       | The token is in quotes",
        "Bearer undefined | The token is the word undefined, null or None",
        "Bearer null     | The token is the word undefined, null or None",
        "bearer None     | The token is the word undefined, null or None",
        "Bearer @.       | The token is incomplete, changed or not from this service",
      })
  void a_slip_around_a_token_is_named(String header, String detail) {
    assertThat(call(header.replace("@", token)).body())
        .contains("\"detail\":\"" + detail)
        .doesNotContain(token);
  }

  @Test
  @Promise("No `Authorization: Bearer` header")
  void a_request_without_the_header_is_told_which_scheme_to_use() {
    Response response = handler.handle(new Request("r", "192.0.2.1", Map.of(), "", false));

    assertRefused(response, "missing_token");
    assertThat(response.headers())
        .containsEntry("WWW-Authenticate", "Bearer realm=\"connector-events\"");
  }

  @Test
  @Promise("The token has expired")
  void an_expired_token_is_refused() {
    clock.advance(Duration.ofHours(2));

    assertRefused(call("Bearer " + token), "expired_token");
  }

  @Test
  @Promise("The user is disabled or deleted, or its tokens were revoked")
  void a_session_that_began_before_a_revocation_is_refused() {
    users.put(TestUsers.revokedAt(clock.instant().plusSeconds(1)));

    assertRefused(call("Bearer " + token), "revoked_token");
    assertThat(call("Bearer " + token).notes())
        .as("for the log: the token was signed for this user")
        .containsEntry("user_id", CONNECTOR.id().toString());
  }

  @Test
  void the_log_names_the_key_of_a_token_and_the_end_of_a_static_one() {
    assertThat(call("Bearer " + token).notes())
        .isEqualTo(Map.of("user_id", CONNECTOR.id().toString(), "kid", "v1"));
    String still = tokens.issueStatic(CONNECTOR, clock.instant(), Duration.ofDays(20)).value();
    assertThat(call("Bearer " + still).notes())
        .containsEntry("kid", "v1")
        .containsEntry("token_ends", "2026-12-10T12:00:00Z");
  }

  @Test
  void a_session_that_began_with_or_after_a_revocation_is_accepted() {
    users.put(TestUsers.revokedAt(clock.instant()));

    assertThat(call("Bearer " + token).status()).isEqualTo(200);
  }

  @Test
  @Promise({
    "The user is disabled or deleted, or its tokens were revoked",
    "after enabling a user or changing its role, a new login works at once.",
    "A cached user never refuses a request"
  })
  void a_cached_state_refuses_nobody() {
    Guard guard = new Guard(tokens, new RememberedUsers(users, Duration.ofSeconds(5), clock));
    Handler route =
        guard.protect(Role.CONNECTOR, (request, caller) -> Response.json(200, Map.of()));
    users.put(TestUsers.disabled());
    assertRefused(route.handle(request("Bearer " + token)), "revoked_token");
    users.put(TestUsers.withRole(Role.CONSUMER));
    assertThat(route.handle(request("Bearer " + token)).status()).isEqualTo(403);

    users.put(CONNECTOR);

    assertThat(route.handle(request("Bearer " + token)).status()).isEqualTo(200);
    users.put(TestUsers.disabled());
    assertThat(route.handle(request("Bearer " + token)).status()).isEqualTo(200);
    assertThat(users.reads()).isEqualTo(3);
  }

  /**
   * Columns: the user's scope before a change; the scope after it; what the user may use within 5 s
   * of the change; what the user may use later. Each of the last two columns has three values: for
   * {@code a.b}, for {@code a.c} and for all types.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.b     | a.b     | true false false | true false false",
        "a.b     | a.c     | true true false  | false true false",
        "a.b     | a.*     | true true false  | true true false",
        "a.b     | *       | true true true   | true true true",
        "a.b     | ''      | true true true   | true true true",
        "a.b,a.c | a.b     | true true false  | true false false",
        "*       | a.b     | true true true   | true false false",
        "''      | a.b     | true true true   | true false false",
      })
  @Promise("A wider one counts at once, a narrower one within 5 seconds.")
  void a_wider_scope_counts_at_once_and_a_narrower_one_when_the_cached_user_expires(
      String before, String after, String within, String later) {
    users.put(TestUsers.withScope(Role.CONNECTOR, before));
    uses();

    users.put(TestUsers.withScope(Role.CONNECTOR, after));
    clock.advance(Duration.ofMillis(4_999));
    assertThat(uses()).isEqualTo(within);

    clock.advance(Duration.ofSeconds(5));
    assertThat(uses()).isEqualTo(later);
  }

  @Test
  void refusals_by_scope_read_the_user_once_per_request() {
    users.put(TestUsers.withScope(Role.CONNECTOR, "z.z"));

    assertThat(uses()).isEqualTo("false false false");
    assertThat(users.reads()).as("at first, and after a refusal").isEqualTo(2);
    assertThat(uses()).isEqualTo("false false false");
    assertThat(users.reads()).isEqualTo(3);
  }

  static List<User> usersWhoAreRefused() {
    return List.of(
        TestUsers.disabled(),
        TestUsers.withRole(Role.CONSUMER),
        TestUsers.revokedAt(Instant.parse("2026-11-20T12:00:01Z")),
        TestUsers.withId("01890000-0000-7000-8000-000000000002"));
  }

  @ParameterizedTest
  @MethodSource("usersWhoAreRefused")
  void a_user_whom_the_guard_would_refuse_meanwhile_gets_no_wider_scope(User meanwhile) {
    users.put(TestUsers.withScope(Role.CONNECTOR, "a.b"));
    uses();

    users.put(meanwhile);

    assertThat(uses()).isEqualTo("true false false");
    assertThat(cached.handle(request("Bearer " + token)).status()).isNotEqualTo(200);
  }

  private String uses() {
    return cached.handle(request("Bearer " + token)).body().replace("\"", "");
  }

  @Test
  @Promise("The user is disabled or deleted, or its tokens were revoked")
  void a_deleted_user_is_refused() {
    users.delete(CONNECTOR);

    assertRefused(call("Bearer " + token), "revoked_token");
  }

  @Test
  void a_forged_token_costs_no_read_of_the_user() {
    String forged = token.substring(0, token.lastIndexOf('.')) + ".c2lnbmF0dXJl";

    assertRefused(call("Bearer " + forged), "invalid_token");

    assertThat(users.reads()).isZero();
  }

  @Test
  void a_key_that_cannot_be_read_lets_nobody_pass() {
    InMemorySigningKeys keys = new InMemorySigningKeys();
    keys.fail(true);
    Handler route =
        new Guard(new Tokens("us", new KeyRing(keys, clock), clock), users)
            .protect((request, caller) -> Response.json(200, Map.of()));

    assertThatThrownBy(() -> route.handle(request("Bearer " + token)))
        .isInstanceOf(DependencyUnavailableException.class);
  }

  private Response call(String authorization) {
    return handler.handle(request(authorization));
  }

  private static Request request(String authorization) {
    return new Request("r", "192.0.2.1", Map.of("authorization", authorization), "", false);
  }

  private void assertRefused(Response response, String code) {
    assertThat(response.status()).isEqualTo(401);
    assertThat(response.body()).contains("\"code\":\"" + code + "\"").doesNotContain(token);
    assertThat(response.headers().get("WWW-Authenticate"))
        .as("a challenge of RFC 6750, 3, with the characters that it allows")
        .matches(
            code.equals("missing_token")
                ? "Bearer realm=\"connector-events\""
                : "Bearer error=\"invalid_token\", error_description=\"[ !#-\\[\\]-~]+\"");
  }
}
