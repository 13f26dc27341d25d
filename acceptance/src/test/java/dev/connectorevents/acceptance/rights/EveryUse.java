package dev.connectorevents.acceptance.rights;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.World;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/**
 * Makes calls of connectors, consumers and operators that together need every right of the
 * functions.
 */
record EveryUse(World service) {

  private static final String NEW_USER = "new@example.com";

  /** An event that is too large for one item in DynamoDB, even when it is compressed. */
  private static String largeEvent() {
    byte[] noise = new byte[500_000];
    new Random(1).nextBytes(noise);
    return event(Base64.getEncoder().encodeToString(noise));
  }

  private static String smallEvent() {
    return event("x");
  }

  private static String event(String content) {
    return "{\"event_type\":\"a.b\",\"payload\":{\"content\":\"" + content + "\"}}";
  }

  void make() {
    assertThat(service.client().login(World.EMAIL, "wrong").status()).isEqualTo(401);
    String[] bearer = bearer();
    is(200, service.client().post("/api/auth/refresh", "", bearer));
    is(200, me(bearer));
    for (String event : List.of(smallEvent(), largeEvent())) {
      String[] headers = {bearer[0], bearer[1], "Idempotency-Key", "key-" + event.length()};
      is(201, service.client().post("/api/webhook-events", event, headers));
      Answer replay = service.client().post("/api/webhook-events", event, headers);
      is(201, replay);
      assertThat(replay.header("Idempotency-Replayed")).isEqualTo("true");
    }
    is(200, batch(bearer));
    is(200, missing(bearer));
    readEvent();
    listEvents();
    manageUsers();
    eraseEvents();
    rotate();
  }

  private Answer batch(String[] bearer) {
    String events = largeEvent() + "," + smallEvent() + "," + smallEvent();
    return service
        .client()
        .post("/api/webhook-events/batch", "{\"events\":[" + events + "]}", bearer);
  }

  private Answer missing(String[] bearer) {
    String keys = "{\"idempotency_keys\":[\"a\"]}";
    return service.client().post("/api/webhook-events/missing", keys, bearer);
  }

  private List<Integer> readEvent() {
    String location =
        service.client().post("/api/webhook-events", largeEvent(), bearer()).header("location");
    return read(location, location + "/payload");
  }

  private List<Integer> listEvents() {
    return read("/api/webhook-events?event_type=a.b", "/api/webhook-events?brand_id=7");
  }

  private List<Integer> read(String... paths) {
    String[] consumer = {"Authorization", "Bearer " + service.operator().consumerToken()};
    return Stream.of(paths)
        .map(path -> service.client().send("GET", path, BodyPublishers.noBody(), consumer).status())
        .toList();
  }

  /**
   * Makes requests that this function serves, and returns the statuses of the answers; for a batch,
   * those of its results.
   */
  List<Integer> statuses(String function) {
    return switch (function) {
      case "LoginFunction" -> List.of(service.client().login(World.EMAIL, World.PASSWORD).status());
      case "RefreshFunction" ->
          List.of(service.client().post("/api/auth/refresh", "", bearer()).status());
      case "MeFunction" -> List.of(me(bearer()).status());
      case "CreateEventFunction" ->
          List.of(
              service.client().post("/api/webhook-events", smallEvent(), bearer()).status(),
              service.client().post("/api/webhook-events", largeEvent(), bearer()).status());
      case "CreateBatchFunction" -> {
        List<Integer> statuses = new ArrayList<>();
        Answer answer = batch(bearer());
        answer.body().path("results").forEach(it -> statuses.add(it.path("status").intValue()));
        yield statuses.isEmpty() ? List.of(answer.status()) : statuses;
      }
      case "FindMissingFunction" -> List.of(missing(bearer()).status());
      case "ReadEventFunction" -> readEvent();
      case "ListEventsFunction" -> listEvents();
      case "ManageUsersFunction" ->
          List.of(service.operator().manageUsers("create", NEW_USER).path("status").intValue());
      case "EraseEventsFunction" ->
          List.of(
              service
                  .operator()
                  .eraseEvents(erasure("" + UUID.randomUUID()))
                  .path("status")
                  .intValue());
      default -> throw new IllegalArgumentException(function);
    };
  }

  private String[] bearer() {
    return new String[] {"Authorization", "Bearer " + service.client().token()};
  }

  private Answer me(String[] bearer) {
    return service.client().send("GET", "/api/auth/me", BodyPublishers.noBody(), bearer);
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
    String id =
        service
            .client()
            .post("/api/webhook-events", largeEvent(), bearer())
            .body()
            .path("id")
            .asText();
    List<JsonNode> answers = service.operator().eraseToTheEnd(erasure(id));
    assertThat(answers.getLast().path("complete").booleanValue()).as("" + answers).isTrue();
    for (String event :
        List.of(
            "{\"brand_id\":\"7\",\"dry_run\":true}",
            "{\"where\":[{\"pointer\":\"/a\",\"equals\":1}],\"dry_run\":true}",
            "{\"list\":true}")) {
      JsonNode answer = service.operator().invoke("EraseEventsFunction", event);
      assertThat(answer.has("code")).as(answer.toString()).isFalse();
    }
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

  private static void is(int status, Answer answer) {
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(status);
  }
}
