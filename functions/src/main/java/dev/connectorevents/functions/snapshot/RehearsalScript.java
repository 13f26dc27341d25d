package dev.connectorevents.functions.snapshot;

import static java.util.stream.Collectors.joining;

import dev.connectorevents.Json;
import dev.connectorevents.event.EventTypePattern;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserState;
import dev.connectorevents.user.UserWithHash;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a {@link Rehearsal} sends to a function: some events, round after round.
 *
 * @param role of the user who sends them
 * @param events makes the events of a round from a token of this user
 * @param answer what each answer must contain
 * @param read reads what is not there, over the network
 * @param rounds the number of rounds
 */
public record RehearsalScript(
    Role role,
    Function<String, List<String>> events,
    String answer,
    Consumer<Wiring> read,
    int rounds) {

  // Enough for the JVM to compile the code of a request. Every instance compiles the rest again,
  // while requests wait.
  private static final int ROUNDS = 2_000;

  /** For requests that make many reads each: their code is compiled sooner. */
  private static final int ROUNDS_OF_MANY = 250;

  private static final String EMAIL = "rehearsal@connector-events.invalid";
  private static final String PASSWORD = "rehearsal";

  private static final String EVENT_IMAGE =
      "\"event_type\":{\"S\":\"rehearsal.requested\"},\"payload\":{\"S\":\"{}\"},"
          + "\"created_at\":{\"S\":\"2026-11-20T12:00:00.000Z\"},"
          + "\"user_id\":{\"B\":\"AAAAAAAAAAAAAAAAAAAAAA==\"}%s";

  /**
   * A script for a route.
   *
   * @param requests of a round: the members of API Gateway's event in which they differ
   */
  private static RehearsalScript ofRoute(Role role, List<Map<String, ?>> requests, int rounds) {
    return new RehearsalScript(
        role,
        token -> requests.stream().map(request -> event(token, request)).toList(),
        "\"statusCode\":20",
        wiring -> wiring.userLookup().find(new Email(EMAIL)),
        rounds);
  }

  public static RehearsalScript withoutBody() {
    return ofRoute(Role.CONNECTOR, List.of(Map.of()), ROUNDS);
  }

  public static RehearsalScript login() {
    String body = Json.write(Map.of("email", EMAIL, "password", PASSWORD));
    return ofRoute(Role.CONNECTOR, List.of(Map.of("body", body)), ROUNDS);
  }

  /**
   * Two events with every field: the small one has an {@code Idempotency-Key} and is stored as
   * text, the large one has none and is stored as gzip.
   */
  public static RehearsalScript event() {
    return ofRoute(
        Role.CONNECTOR,
        List.of(
            Map.of("body", eventBody(1), "headers", Map.of("idempotency-key", EMAIL)),
            Map.of("body", eventBody(500))),
        ROUNDS);
  }

  /**
   * A batch of such events, each under a key of its own, which are stored together; and a batch of
   * one, which is stored as every replay is.
   */
  public static RehearsalScript batch() {
    return ofRoute(Role.CONNECTOR, List.of(batchOf(1, 2, 3, 500), batchOf(1)), ROUNDS / 2);
  }

  private static Map<String, String> batchOf(Integer... lines) {
    String events = Stream.of(lines).map(RehearsalScript::keyed).collect(joining(","));
    return Map.of("body", "{\"events\":[" + events + "]}");
  }

  /** A hundred keys. */
  public static RehearsalScript findMissing() {
    List<String> keys = IntStream.range(0, 100).mapToObj(i -> EMAIL + i).toList();
    String body = Json.write(Map.of("idempotency_keys", keys));
    return ofRoute(Role.CONNECTOR, List.of(Map.of("body", body)), ROUNDS_OF_MANY);
  }

  /** An event and its payload. */
  public static RehearsalScript readEvent() {
    Map<String, String> id = Map.of("id", new UUID(0, 0).toString());
    return ofRoute(
        Role.CONSUMER,
        List.of(
            Map.of("pathParameters", id),
            Map.of("pathParameters", id, "routeKey", "GET /rehearsal/payload")),
        ROUNDS / 2);
  }

  /** A page of the feed in both orders, and of a brand. */
  public static RehearsalScript listEvents() {
    return ofRoute(
        Role.CONSUMER,
        List.of(
            Map.of("rawQueryString", "order=asc&include=payload,erasures"),
            Map.of("rawQueryString", "event_type=rehearsal.requested"),
            Map.of("rawQueryString", "brand_id=none&limit=10")),
        ROUNDS_OF_MANY);
  }

  /** A batch of a shard: events with a brand and without one, and an erasure. */
  public static RehearsalScript numberEvents() {
    List<String> records = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      records.add(
          streamRecord(
              i,
              switch (i % 3) {
                case 0 -> EVENT_IMAGE.formatted("");
                case 1 -> EVENT_IMAGE.formatted(",\"brand_key\":{\"S\":\"none#0\"}");
                default -> "\"erased_at\":{\"S\":\"2026-11-20T12:00:00.000Z\"}";
              }));
    }
    String batch =
        "{\"shardId\":\"shard\",\"Records\":[" + String.join(",", records) + "],\"state\":{}}";
    return new RehearsalScript(
        Role.CONNECTOR,
        token -> List.of(batch),
        "{\"state\":{}}",
        wiring -> wiring.feedAppends().tail("rehearsal"),
        ROUNDS_OF_MANY);
  }

  private static String streamRecord(int number, String image) {
    return """
    {"eventName":"INSERT","dynamodb":{"ApproximateCreationDateTime":1.76E9,"SequenceNumber":"%d",\
    "NewImage":{"id":{"S":"%s"},%s},"StreamViewType":"NEW_IMAGE"}}\
    """
        .formatted(number, new UUID(0, number), image);
  }

  /** The user who sends the requests, with a scope that contains them; no table has it. */
  UserWithHash user() {
    User user =
        new User(
            UUID.randomUUID(),
            new Email(EMAIL),
            "Rehearsal",
            UserState.ACTIVE,
            role,
            new EventTypes(List.of(new EventTypePattern("rehearsal.*"))),
            Instant.EPOCH,
            Instant.EPOCH);
    return new UserWithHash(user, PasswordHash.of(PASSWORD, 4));
  }

  /** API Gateway's event, in its payload format 2.0. */
  private static String event(String token, Map<String, ?> request) {
    Map<Object, Object> headers = new HashMap<>();
    headers.put("authorization", "Bearer " + token);
    headers.put("content-type", "application/json");
    if (request.get("headers") instanceof Map<?, ?> more) {
      headers.putAll(more);
    }
    Map<String, Object> http = Map.of("method", "POST", "sourceIp", "192.0.2.1");
    Map<String, Object> context = Map.of("http", http, "requestId", "rehearsal");
    Map<String, Object> event = new HashMap<>();
    event.put("version", "2.0");
    event.put("routeKey", "POST /rehearsal");
    event.put("requestContext", context);
    event.put("body", "");
    event.put("isBase64Encoded", false);
    event.putAll(request);
    event.put("headers", headers);
    return Json.write(event);
  }

  private static String keyed(int lines) {
    return eventBody(lines).replaceFirst("\\{", "{\"idempotency_key\": \"" + lines + "\", ");
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
