package dev.connectorevents.access;

import static dev.connectorevents.user.TestUsers.CONNECTOR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.http.Handler;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import dev.connectorevents.token.InMemorySigningKeys;
import dev.connectorevents.token.KeyRing;
import dev.connectorevents.token.Tokens;
import dev.connectorevents.user.InMemoryUsers;
import dev.connectorevents.user.TestUsers;
import dev.connectorevents.user.UserLookup;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the first request of an instance: the guard reads the user while it checks the token. */
class FirstRequestTest {

  private final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
  private final InMemoryUsers users = new InMemoryUsers();
  private final InMemorySigningKeys keys = new InMemorySigningKeys();
  private final Tokens tokens = new Tokens("us", new KeyRing(keys, clock), clock);
  private final Tokens elsewhere =
      new Tokens("us", new KeyRing(new InMemorySigningKeys(), clock), clock);

  @Test
  void the_user_is_read_while_the_key_is_being_read() throws InterruptedException {
    users.put(CONNECTOR);
    CountDownLatch userIsAskedFor = new CountDownLatch(1);
    CountDownLatch keyIsAskedFor = new CountDownLatch(1);
    keys.beforeRead(() -> {
      keyIsAskedFor.countDown();
      await(userIsAskedFor);
    });
    UserLookup slow =
        (email, acceptsCached) -> {
          userIsAskedFor.countDown();
          await(keyIsAskedFor);
          return users.find(email);
        };

    assertThat(route(slow, Thread::startVirtualThread).handle(request(token())).status())
        .isEqualTo(200);
  }

  @Test
  void a_flood_of_forged_tokens_costs_one_read() {
    users.put(CONNECTOR);
    Handler route = route(users, Runnable::run);

    for (int i = 0; i < 100; i++) {
      assertThat(route.handle(request(forged("{\"email\":\"connector@example.com\"}"))).status())
          .isEqualTo(401);
    }

    assertThat(users.reads()).isEqualTo(1);
  }

  @Test
  void the_name_in_a_token_is_not_trusted() {
    users.put(CONNECTOR);
    users.put(TestUsers.disabled());

    assertThat(route(users, Runnable::run).handle(request(token())).status()).isEqualTo(401);
  }

  @Test
  void a_failed_read_of_the_user_counts_only_for_a_token_that_is_valid() {
    UserLookup failing =
        (email, acceptsCached) -> {
          throw new DependencyUnavailableException("the user cannot be read");
        };

    Response refused =
        route(failing, Runnable::run)
            .handle(request(forged("{\"email\":\"connector@example.com\"}")));
    assertThat(refused.status()).isEqualTo(401);
    assertThatThrownBy(() -> route(failing, Runnable::run).handle(request(token())))
        .isInstanceOf(DependencyUnavailableException.class);
  }

  @Test
  void a_failed_read_of_the_key_lets_nobody_pass() {
    users.put(CONNECTOR);
    String token = token();
    keys.fail(true);
    Tokens fresh = new Tokens("us", new KeyRing(keys, clock), clock);
    Handler route =
        new Guard(fresh, users, Runnable::run)
            .protect((request, caller) -> Response.json(200, Map.of()));

    assertThatThrownBy(() -> route.handle(request(token)))
        .isInstanceOf(DependencyUnavailableException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{",
        "{}",
        "{\"email\":1}",
        "{\"email\":\"nobody\"}",
        "{\"email\":\"A@b.example\"}"
      })
  void a_token_that_names_nobody_costs_no_read(String claims) {
    assertThat(route(users, Runnable::run).handle(request(forged(claims))).status()).isEqualTo(401);
    assertThat(users.reads()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "a.b", "a.b.c.d", "..", "a.%.c", "a.é.c"})
  void what_is_no_token_costs_no_read(String text) {
    assertThat(route(users, Runnable::run).handle(request(text)).status()).isEqualTo(401);
    assertThat(users.reads()).isZero();
  }

  private Handler route(UserLookup lookup, Executor executor) {
    return new Guard(tokens, lookup, executor)
        .protect((request, caller) -> Response.json(200, Map.of()));
  }

  /** A token that was signed with a key that {@link #tokens} has not read yet. */
  private String token() {
    return elsewhere.issue(CONNECTOR, clock.instant(), Duration.ofHours(1)).value();
  }

  private static String forged(String claims) {
    String part = Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(UTF_8));
    return "eyJhbGciOiJIUzI1NiIsImtpZCI6InYxIn0." + part + ".c2lnbmF0dXJl";
  }

  private static Request request(String token) {
    return new Request("r", "192.0.2.1", Map.of("authorization", "Bearer " + token), "", false);
  }

  private static void await(CountDownLatch other) {
    try {
      assertThat(other.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
