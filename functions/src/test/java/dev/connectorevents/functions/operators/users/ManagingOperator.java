package dev.connectorevents.functions.operators.users;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.functions.OperatorCalls;
import dev.connectorevents.functions.RecordingContext;
import dev.connectorevents.functions.TestService;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.TestUsers;
import dev.connectorevents.user.User;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Map;

/**
 * Invokes the function {@code manageusers} as an operator does, and reads the effects on users and
 * tokens.
 */
final class ManagingOperator {

  static final String ADDRESS = "connector@example.com";

  final TestService service = new TestService();
  private final OperatorCalls calls =
      new OperatorCalls(
          ManageUsersFunction.handler(
              new ManageUsers(
                  service.users, service.tokens, TestUsers.COST, service.clock, new SecureRandom()),
              30));
  final RecordingContext context = calls.context;

  /** The token that a login would issue now. */
  String login() {
    User user = user(ADDRESS);
    Instant authTime = user.sessionStart(service.clock.instant());
    return service.tokens.issue(user, authTime, TestService.HOUR).value();
  }

  boolean isLive(String token) {
    Request request =
        new Request("r", "192.0.2.1", Map.of("authorization", "Bearer " + token), "", false);
    return service
            .guard
            .protect((guarded, caller) -> Response.json(200, Map.of()))
            .handle(request)
            .status()
        == 200;
  }

  JsonNode create(String password, String name) {
    return act(
        "create", "new@example.com", "\"password\":\"" + password + "\",\"name\":\"" + name + "\"");
  }

  JsonNode act(String action, String email) {
    return invoke("{\"action\":\"%s\",\"email\":\"%s\"}".formatted(action, email));
  }

  JsonNode act(String action, String email, String more) {
    String event = "{\"action\":\"%s\",\"email\":\"%s\",%s}".formatted(action, email, more);
    return invoke(event);
  }

  JsonNode invoke(String event) {
    return calls.call(event);
  }

  JsonNode invoke(byte[] event) {
    return calls.call(event);
  }

  User user(String email) {
    return service.users.find(new Email(email)).orElseThrow();
  }

  boolean hasPassword(String email, String password) {
    return service
        .users
        .findWithHash(new Email(email))
        .orElseThrow()
        .passwordHash()
        .matches(password);
  }
}
