package dev.connectorevents.functions.snapshot;

import dev.connectorevents.http.Json;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserState;
import dev.connectorevents.user.UserWithHash;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The requests of one round of a {@link Rehearsal}.
 *
 * @param bodies one for each request
 */
public record RehearsedRequest(List<String> bodies) {

  private static final String EMAIL = "rehearsal@connector-events.invalid";
  private static final String PASSWORD = "rehearsal";

  public RehearsedRequest {
    bodies = List.copyOf(bodies);
  }

  public static RehearsedRequest withoutBody() {
    return new RehearsedRequest(List.of(""));
  }

  public static RehearsedRequest login() {
    return new RehearsedRequest(List.of(Json.write(Map.of("email", EMAIL, "password", PASSWORD))));
  }

  /** Two events with every field: the small one is stored as text, the large one as gzip. */
  public static RehearsedRequest event() {
    return new RehearsedRequest(List.of(eventBody(1), eventBody(500)));
  }

  /** The user who sends the requests; no table has it. */
  static UserWithHash user() {
    User user =
        new User(
            UUID.randomUUID(),
            new Email(EMAIL),
            "Rehearsal",
            UserState.ACTIVE,
            Role.CONNECTOR,
            Instant.EPOCH,
            Instant.EPOCH);
    return new UserWithHash(user, PasswordHash.of(PASSWORD, 4));
  }

  /** One event for each body. Every second round has an {@code Idempotency-Key}. */
  List<String> events(String token, int round) {
    Map<String, String> headers = new HashMap<>();
    headers.put("authorization", "Bearer " + token);
    headers.put("content-type", "application/json");
    if (round % 2 == 1) {
      headers.put("idempotency-key", EMAIL);
    }
    return bodies.stream().map(body -> event(headers, body)).toList();
  }

  /** API Gateway's event, in its payload format 2.0. */
  private static String event(Map<String, String> headers, String body) {
    Map<String, Object> http = Map.of("method", "POST", "sourceIp", "192.0.2.1");
    Map<String, Object> context = Map.of("http", http, "requestId", "rehearsal", "timeEpoch", 0);
    return Json.write(
        Map.of(
            "version",
            "2.0",
            "routeKey",
            "POST /rehearsal",
            "headers",
            headers,
            "requestContext",
            context,
            "body",
            body,
            "isBase64Encoded",
            false));
  }

  private static String eventBody(int lines) {
    return """
    {"event_type": "rehearsal.requested", "connector_installation_id": 1, "status": "retrying",
    "response": "none", "attempts": 1, "sent_at": "2026-11-20T12:00:00Z",
    "next_retry_at": "2026-11-20T13:00:00+01:00", "payload": {"lines": [%s], "_meta":
    {"source": "rehearsal", "topic": "requested", "brand_id": "none"}}}\
    """
        .formatted(String.join(",", Collections.nCopies(lines, "[{\"text\": \"é 你\"}, -1.5e3]")));
  }
}
