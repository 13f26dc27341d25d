package dev.connectorevents.acceptance.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.attacks.ForgedTokens.ForgedToken;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.Routes;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.user.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Sends forged tokens to the real functions. They refuse each token, and no token makes them fail.
 *
 * <p>Slow: each guarded route gets 30 tokens of 150, at night all.
 */
@Order(1)
class ForgedTokensTest {

  /** How many routes get each token a second time, after their functions have cached the user. */
  private static final int ROUTES_AGAIN = Nightly.choose(1, Routes.guarded().size());

  /** By day a token goes to one of so many routes; at night to each. */
  private static final int ROUTES_PER_TOKEN = Nightly.choose(5, 1);

  private static final ObjectMapper JSON = new ObjectMapper();

  @AutoClose private final World service = World.start();
  private final String stored = service.store();
  private final Forgery ofConnector = Forgery.withLeakedKey(service, service.client().token());
  private final Forgery ofConsumer = Forgery.withLeakedKey(service, consumerToken());

  @Test
  @Promise("The service accepts HS256 only, whatever the header says.")
  void a_forged_token_is_refused_everywhere_and_nothing_is_fetched_or_stored() throws IOException {
    try (ServerSocket trap = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      int turn = 0;
      for (Routes route : Routes.guarded()) {
        List<ForgedToken> tokens =
            ForgedTokens.all(forgery(route), "http://127.0.0.1:" + trap.getLocalPort());
        assertThat(tokens)
            .hasSizeGreaterThanOrEqualTo(150)
            .noneMatch(forged -> forged.token().equals(forgery(route).good()));

        for (int i = turn++ % ROUTES_PER_TOKEN; i < tokens.size(); i += ROUTES_PER_TOKEN) {
          assertRefused(tokens.get(i), route);
        }
        assertThat(events()).isEqualTo(1);
      }
      for (Routes route : Routes.guarded()) {
        assertThat(call(route, forgery(route).good()).get("statusCode").intValue())
            .as("the token that the forgeries are made from is valid")
            .isEqualTo(route.success());
      }
      int events = events();
      for (Routes route : Routes.guarded().subList(0, ROUTES_AGAIN)) {
        assertRefused(
            ForgedTokens.all(forgery(route), "http://127.0.0.1:" + trap.getLocalPort()), route);
      }
      assertThat(events()).isEqualTo(events);
      assertNobodyCame(trap);
    }
  }

  /** Logs in as a new consumer: a static token has one claim more. */
  private String consumerToken() {
    String email = "reader@example.com";
    String create = "{\"action\":\"create\",\"email\":\"" + email + "\",\"role\":\"consumer\"}";
    String password =
        service.operator().invoke("ManageUsersFunction", create).get("password").textValue();
    return service.client().login(email, password).accessToken();
  }

  /** A forgery that has a valid token of a user who may call this route. */
  private Forgery forgery(Routes route) {
    return route.role().equals(Optional.of(Role.CONSUMER)) ? ofConsumer : ofConnector;
  }

  private void assertRefused(List<ForgedToken> tokens, Routes route) throws IOException {
    for (ForgedToken forged : tokens) {
      assertRefused(forged, route);
    }
  }

  private int events() {
    String table = service.name("EventsTable");
    return service.dynamoDb().scan(scan -> scan.tableName(table)).count();
  }

  /**
   * Calls the route's function directly, as Lambda does: an HTTP client refuses to send some forged
   * tokens.
   */
  private JsonNode call(Routes route, String token) {
    return service.operator().invoke(route.function(), route.event(token, stored).toString());
  }

  private void assertRefused(ForgedToken forged, Routes route) throws IOException {
    JsonNode answer = call(route, forged.token());
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
