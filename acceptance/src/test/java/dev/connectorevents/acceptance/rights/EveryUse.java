package dev.connectorevents.acceptance.rights;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.RestoredTable;
import dev.connectorevents.acceptance.service.Routes;
import dev.connectorevents.acceptance.service.Texts;
import dev.connectorevents.acceptance.service.World;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/**
 * Makes calls of connectors, consumers and operators that together need every right of the
 * functions.
 */
record EveryUse(World service) {

  private static final String NEW_USER = "new@example.com";
  private static final String SMALL_EVENT = event("x");

  /** An event that is too large for one item in DynamoDB, even when it is compressed. */
  private static final String LARGE_EVENT = event(Texts.noise(500_000));

  private static String event(String content) {
    return "{\"event_type\":\"a.b\",\"payload\":{\"content\":\"" + content + "\"}}";
  }

  void make() {
    service.beat();
    assertThat(service.client().login(World.EMAIL, "wrong").status()).isEqualTo(401);
    for (Routes route : Routes.values()) {
      assertThat(statuses(route)).as(route.key()).isNotEmpty().isSubsetOf(200, 201);
    }
    replay(SMALL_EVENT);
    replay(LARGE_EVENT);
    manageUsers();
    eraseEvents();
    restoreEvents();
    fillFeed();
    rotate();
  }

  private void replay(String event) {
    String[] bearer = bearer();
    String[] headers = {bearer[0], bearer[1], "Idempotency-Key", "key-" + event.length()};
    service.client().post("/api/webhook-events", event, headers);
    Answer replay = service.client().post("/api/webhook-events", event, headers);
    assertThat(replay.header("Idempotency-Replayed")).isEqualTo("true");
  }

  /**
   * Makes requests that this function serves, and returns the statuses of the answers; for a batch,
   * those of its results.
   */
  List<Integer> statuses(String function) {
    return switch (function) {
      case "ManageUsersFunction" ->
          List.of(service.operator().manageUsers("create", NEW_USER).path("status").intValue());
      case "FindEventsFunction" ->
          List.of(
              service
                  .operator()
                  .findEvents(erasure("" + UUID.randomUUID()))
                  .path("status")
                  .intValue());
      case "RestoreEventsFunction" ->
          List.of(
              service
                  .operator()
                  .invoke(
                      "RestoreEventsFunction",
                      "{\"fill\":{\"from\":\"2026-11-20T12:00Z\",\"to\":\"2026-11-20T13:00Z\"}}")
                  .path("status")
                  .intValue());
      case "EraseEventsFunction" ->
          List.of(
              service
                  .operator()
                  .eraseEvents(erasure("" + UUID.randomUUID()))
                  .path("status")
                  .intValue());
      default ->
          Stream.of(Routes.values())
              .filter(route -> route.function().equals(function))
              .flatMap(route -> statuses(route).stream())
              .toList();
    };
  }

  private List<Integer> statuses(Routes route) {
    String path = route.path("");
    return switch (route) {
      case CREATE_EVENT -> List.of(send(route, path, SMALL_EVENT), send(route, path, LARGE_EVENT));
      case CREATE_BATCH -> {
        String events = String.join(",", LARGE_EVENT, SMALL_EVENT, SMALL_EVENT);
        String batch = "{\"events\":[" + events + "]}";
        Answer answer = service.client().post(path, batch, bearer());
        List<Integer> statuses = new ArrayList<>();
        answer.body().path("results").forEach(it -> statuses.add(it.path("status").intValue()));
        yield statuses.isEmpty() ? List.of(answer.status()) : statuses;
      }
      case LIST_EVENTS -> {
        service.number();
        yield List.of(
            send(route, path + "?event_type=a.b", ""), send(route, path + "?brand_id=7", ""));
      }
      case READ_EVENT, READ_PAYLOAD -> List.of(send(route, route.path(storedId()), ""));
      case LOGIN, REFRESH, ME, FIND_MISSING -> List.of(send(route, path, route.body()));
    };
  }

  private int send(Routes route, String path, String body) {
    String bearer = "Bearer " + route.token(service);
    return service
        .client()
        .send(route.method(), path, BodyPublishers.ofString(body), "Authorization", bearer)
        .status();
  }

  private String[] bearer() {
    return new String[] {"Authorization", "Bearer " + service.client().token()};
  }

  /** The id of a stored event that has several items. */
  private String storedId() {
    Answer stored = service.client().post("/api/webhook-events", LARGE_EVENT, bearer());
    service.clock().pass(Duration.ofSeconds(1)); // who looks for it, looks for what was before
    return stored.body().path("id").asText();
  }

  private void manageUsers() {
    List.of(
            "create",
            "show",
            "reset-password",
            "issue-static-token",
            "revoke-tokens",
            "disable",
            "enable")
        .forEach(action ->
            assertThat(service.operator().manageUsers(action, NEW_USER).at("/user/email").asText())
                .as(action)
                .isEqualTo(NEW_USER));
    assertThat(service.operator().listUsers().findValuesAsText("email")).contains(NEW_USER);
    assertThat(service.operator().manageUsers("delete", NEW_USER).at("/user/state").asText())
        .isEqualTo("deleted");
  }

  private void eraseEvents() {
    List<JsonNode> answers = service.operator().eraseToTheEnd(erasure(storedId()));
    assertThat(answers.getLast().path("complete").booleanValue()).as("" + answers).isTrue();
    eraseByFeed("{\"brand_id\":\"7\",\"where\":[{\"pointer\":\"/a\",\"equals\":1}]}");
    eraseByFeed("{\"where\":[{\"pointer\":\"/a\",\"equals\":\"nobody\"}]}");
    for (String event :
        List.of(
            "{\"brand_id\":\"7\"}",
            "{\"user_id\":\"%s\",\"from\":\"2026-11-20T12:00Z\",\"to\":\"2026-11-20T13:00Z\"}"
                .formatted(UUID.randomUUID()),
            "{\"where\":[{\"pointer\":\"/a\",\"equals\":1}]}",
            "{\"show\":\"0197f3a0-0000-7000-8000-000000000001\"}",
            "{\"list\":true}")) {
      JsonNode answer = service.operator().invoke("FindEventsFunction", event);
      assertThat(answer.path("code").asText("not_found")).as("" + answer).isEqualTo("not_found");
    }
  }

  /** Erases what may need the feed: it is numbered between the calls. */
  private void eraseByFeed(String request) {
    JsonNode answer = service.operator().invoke("EraseEventsFunction", request);
    while (answer.has("next")) {
      service.number();
      answer =
          service
              .operator()
              .invoke(
                  "EraseEventsFunction",
                  request.replaceFirst("[}]$", ",\"next\":" + answer.get("next") + "}"));
    }
    assertThat(answer.path("complete").booleanValue()).as("" + answer).isTrue();
  }

  /** The ledger names an event whose tombstone is lost, so the restored table is asked for it. */
  private void restoreEvents() {
    String id = storedId();
    service.operator().eraseToTheEnd(erasure(id));
    service
        .dynamoDb()
        .deleteItem(delete ->
            delete
                .tableName(service.name("EventsTable"))
                .key(Map.of("id", AttributeValue.fromS(id))));
    String table = RestoredTable.create(service, "EventsTable", "id");
    JsonNode answer =
        service.operator().invoke("RestoreEventsFunction", "{\"restore_from\":\"" + table + "\"}");
    assertThat(answer.path("restored").isInt()).as(answer.toString()).isTrue();
  }

  /** Fills in an event that the feed lacks. */
  private void fillFeed() {
    storedId();
    service.number();
    service.loseLastSegment();
    service.clock().pass(Duration.ofSeconds(61)); // what is younger than a minute, the stream has
    Instant now = service.clock().now();
    String request =
        "{\"fill\":{\"from\":\"%s\",\"to\":\"%s\"}}".formatted(now.minusSeconds(300), now);
    JsonNode marked = service.operator().invoke("RestoreEventsFunction", request);
    service.number();
    JsonNode answer =
        service
            .operator()
            .invoke(
                "RestoreEventsFunction",
                request.replaceFirst("[}]$", ",\"next\":" + marked.get("next") + "}"));
    assertThat(answer.path("renumbered").intValue()).as(answer.toString()).isPositive();
  }

  private static ObjectNode erasure(String id) {
    ObjectNode event = new ObjectMapper().createObjectNode();
    event.putArray("ids").add(id);
    return event;
  }

  /**
   * Rotates the signing key. Only the rights of functions are checked, not those of the client that
   * starts the rotation.
   */
  void rotate() {
    try (SecretsManagerClient secrets =
        service
            .settings()
            .secretsManagerClient(client -> client.apiCallTimeout(Duration.ofSeconds(60)))) {
      secrets.rotateSecret(rotate -> rotate.secretId("SigningKeySecret"));
    }
  }
}
