package dev.connectorevents.acceptance.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.acceptance.attacks.ForgedTokens.ForgedToken;
import dev.connectorevents.acceptance.awscalls.SecretReads;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.RunningService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Sends forged tokens to the real functions. They refuse each token, and no token makes them fail.
 */
class ForgedTokensTest {

  /** How many routes get each token a second time, after their functions have cached the user. */
  private static final int ROUTES_AGAIN = Nightly.choose(1, ProtectedRoute.values().length);

  private static final int UNKNOWN_KEYS = Nightly.choose(100, 300);

  private static final ObjectMapper JSON = new ObjectMapper();

  @AutoClose private final RunningService service = RunningService.start();

  @Test
  void a_forged_token_is_refused_everywhere_and_nothing_is_fetched_or_stored() throws IOException {
    try (ServerSocket trap = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Forgery forgery = Forgery.withLeakedKey(service);
      List<ForgedToken> tokens =
          ForgedTokens.all(forgery, "http://127.0.0.1:" + trap.getLocalPort());
      assertThat(tokens)
          .hasSizeGreaterThanOrEqualTo(150)
          .noneMatch(forged -> forged.token().equals(forgery.good()));

      assertRefused(tokens, List.of(ProtectedRoute.values()));
      assertThat(events()).isZero();
      for (ProtectedRoute route : ProtectedRoute.values()) {
        assertThat(route.call(service, forgery.good()).get("statusCode").intValue())
            .as("the token that the forgeries are made from is valid")
            .isEqualTo(route.success());
      }
      int events = events();
      assertRefused(tokens, List.of(ProtectedRoute.values()).subList(0, ROUTES_AGAIN));
      assertThat(events()).isEqualTo(events);
      assertNobodyCame(trap);
    }
  }

  @Test
  void a_flood_of_unknown_keys_reads_the_secret_a_handful_of_times() throws IOException {
    Forgery forgery = Forgery.withLeakedKey(service);
    for (ProtectedRoute route : ProtectedRoute.values()) {
      int before = SecretReads.of(route.function());
      Instant start = Instant.now();

      for (int i = 0; i < UNKNOWN_KEYS; i++) {
        assertRefused(
            new ForgedToken("unknown kid", forgery.withHeader("kid", "\"unknown-" + i + "\"")),
            route);
      }

      // The first token causes at most 5 reads: of the current and the previous key, and then, as
      // its key id is unknown, of the pending key and of both again. Later, the function reads all
      // three at most once in 5 s.
      int pauses = (int) (Duration.between(start, Instant.now()).toSeconds() / 5);
      assertThat(SecretReads.of(route.function()) - before).isBetween(1, 5 + 3 * pauses);
    }
  }

  @Test
  void another_users_id_does_not_go_with_this_users_address() throws IOException {
    JsonNode other = service.operator().manageUsers("create", "other@example.com").at("/user/id");
    Forgery forgery = Forgery.withLeakedKey(service);
    assertThat(other.isTextual()).isTrue();

    for (ProtectedRoute route : ProtectedRoute.values()) {
      assertRefused(
          new ForgedToken("another sub", forgery.withClaim("sub", other.toString())), route);
      assertRefused(
          new ForgedToken("another email", forgery.withClaim("email", "\"other@example.com\"")),
          route);
    }
  }

  private void assertRefused(List<ForgedToken> tokens, List<ProtectedRoute> routes)
      throws IOException {
    for (ProtectedRoute route : routes) {
      for (ForgedToken forged : tokens) {
        assertRefused(forged, route);
      }
    }
  }

  private int events() {
    String table = service.name("EventsTable");
    return service.emulator().dynamoDb().scan(scan -> scan.tableName(table)).count();
  }

  private void assertRefused(ForgedToken forged, ProtectedRoute route) throws IOException {
    JsonNode answer = route.call(service, forged.token());
    assertThat(answer.path("statusCode").asInt()).as(forged.attack()).isEqualTo(401);
    assertThat(JSON.readTree(answer.get("body").textValue()).get("code").textValue())
        .as(forged.attack())
        .isIn("invalid_token", "expired_token", "revoked_token");
  }

  private static void assertNobodyCame(ServerSocket trap) throws IOException {
    trap.setSoTimeout(100);
    try {
      trap.accept().close();
      throw new AssertionError("a function connected to the address in a token");
    } catch (SocketTimeoutException e) {
      assertThat(e).isNotNull();
    }
  }
}
