package dev.connectorevents.acceptance.journeys;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.Routes;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.user.Role;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A user's role and scope decide which routes it may use, and for which events. */
class RolesTest {

  private static final String EVENT = "{\"event_type\":\"a.b\",\"payload\":{}}";

  @AutoClose private static final World service = World.start();

  private static final String BRAND = "brand-of-two-types";

  private static final List<String> stored =
      Stream.of("github.push", "shopify.orders/create").map(RolesTest::stored).toList();

  static List<Routes> routesOfOneRole() {
    return Routes.guarded().stream().filter(each -> each.role().isPresent()).toList();
  }

  @ParameterizedTest
  @MethodSource("routesOfOneRole")
  @Promise({
    "The service checks a request in this order: token, role, `Idempotency-Key`",
    "A connector's token cannot read."
  })
  void a_route_is_for_its_role_which_is_judged_before_the_request(Routes route) {
    boolean isForConsumers = route.role().orElseThrow() == Role.CONSUMER;
    String bearer =
        "Bearer "
            + (isForConsumers
                ? service.client().token()
                : consumer("of-" + route.name().toLowerCase(Locale.ROOT)));
    for (String body : List.of(route.body(), "no JSON")) {
      Answer answer =
          service
              .client()
              .send(
                  route.method(),
                  route.path("no-id") + "?cursor=none",
                  BodyPublishers.ofString(body),
                  "Authorization",
                  bearer,
                  "Content-Type",
                  "text/plain");

      assertThat(answer.code()).isEqualTo("forbidden");
    }
  }

  /**
   * The last column has the results of seven requests: 1. sending a GitHub event; 2. sending a
   * batch of a GitHub event and a Shopify event; 3. asking for missing keys; 4. listing the events
   * of a GitHub type; 5. listing a brand that has a GitHub event and a Shopify event; 6. reading a
   * GitHub event; 7. reading its payload.
   *
   * <p>A result is the status of the answer, with two exceptions. A batch that gets 200 shows the
   * status of each event. A list of the brand that gets 200 shows its number of events.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          connector |                             | 201 201,201 200 403 403 403 403
          connector | github.*                    | 201 201,403 200 403 403 403 403
          connector | shopify.orders/*,github.p*  | 201 201,201 200 403 403 403 403
          connector | shopify.*,github.pull       | 403 403,201 200 403 403 403 403
          consumer  |                             | 403 403 403 200 2 200 200
          consumer  | github.push                 | 403 403 403 200 1 200 200
          consumer  | shopify.*,github.pull*      | 403 403 403 403 1 404 404
          consumer  | stripe.*                    | 403 403 403 403 0 404 404
          """)
  @Promise("A user without a scope may do all that its role may")
  void a_user_may_do_what_both_its_role_and_its_scope_allow(
      String role, @Nullable String scope, String expected) {
    String address = "scoped-" + UUID.randomUUID();
    ObjectNode user = user("create", address).put("role", role);
    if (scope != null) {
      user.set("event_types", JsonNodeFactory.instance.arrayNode().addAll(texts(scope)));
    }
    manage(user);
    String token = token(address);

    String github = "{\"event_type\":\"github.push\",\"payload\":{}}";
    String shopify = github.replace("github.push", "shopify.orders/create");
    String batch = "{\"events\":[%s,%s]}".formatted(github, shopify);
    String keys = "{\"idempotency_keys\":[\"a\"]}";
    List<String> seen =
        List.of(
            status(post("/api/webhook-events", github, token)),
            results(post("/api/webhook-events/batch", batch, token)),
            status(post("/api/webhook-events/missing", keys, token)),
            status(get("/api/webhook-events?event_type=github.push", token)),
            listed(get("/api/webhook-events?brand_id=" + BRAND, token)),
            status(get(stored.getFirst(), token)),
            status(get(stored.getFirst() + "/payload", token)));

    assertThat(String.join(" ", seen)).isEqualTo(expected);
    JsonNode shown = get("/api/auth/me", token).body().path("event_types");
    assertThat(shown.isMissingNode()).isEqualTo(scope == null);
  }

  /** Stores an event, and returns its path. */
  private static String stored(String type) {
    String event =
        "{\"event_type\":\"%s\",\"payload\":{\"_meta\":{\"brand_id\":\"%s\"}}}"
            .formatted(type, BRAND);
    return post("/api/webhook-events", event, service.client().token()).header("location");
  }

  private static List<JsonNode> texts(String list) {
    return Stream.of(list.split(",", -1))
        .<JsonNode>map(JsonNodeFactory.instance::textNode)
        .toList();
  }

  private static String status(Answer answer) {
    return "" + answer.status();
  }

  private static String results(Answer answer) {
    return answer.status() == 200
        ? answer
            .body()
            .path("results")
            .valueStream()
            .map(result -> result.path("status").asText())
            .collect(joining(","))
        : status(answer);
  }

  private static String listed(Answer answer) {
    return answer.status() == 200 ? "" + answer.body().path("events").size() : status(answer);
  }

  /** A stored scope that the service cannot read allows nothing. Operators can replace it. */
  @Test
  @Promise("the user gets 503 on every route, also at login")
  void a_scope_that_cannot_be_read_is_a_503_on_every_route() {
    manage(user("create", "unreadable").put("password", "correct horse battery staple"));
    String token = token("unreadable");
    service
        .dynamoDb()
        .updateItem(update ->
            update
                .tableName(service.name("UsersTable"))
                .key(Map.of("email", fromS("unreadable@example.com")))
                .updateExpression("SET event_types = :wrong")
                .expressionAttributeValues(Map.of(":wrong", fromS("shopify"))));

    String password = "correct horse battery staple";
    assertThat(service.client().login("unreadable@example.com", password).status()).isEqualTo(503);
    for (Routes route : Routes.guarded()) {
      assertThat(route.send(service, token).status()).as(route.key()).isEqualTo(503);
    }
    assertThat(manage(user("show", "unreadable")).path("code").asText())
        .isEqualTo("temporarily_unavailable");

    manage(user("set-scope", "unreadable").set("event_types", array("*")));

    assertThat(post("/api/webhook-events", EVENT, token).status()).isEqualTo(201);
  }

  private static Answer post(String path, String body, String token) {
    return service.client().post(path, body, token);
  }

  private static Answer get(String path, String token) {
    return service.client().get(path, token);
  }

  private static String consumer(String name) {
    manage(user("create", name).put("role", "consumer"));
    return token(name);
  }

  private static String token(String name) {
    return service.operator().staticToken(name + "@example.com");
  }

  private static ObjectNode user(String action, String name) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("action", action)
        .put("email", name + "@example.com");
  }

  private static JsonNode array(String text) {
    return JsonNodeFactory.instance.arrayNode().add(text);
  }

  private static JsonNode manage(JsonNode event) {
    return service.operator().invoke("ManageUsersFunction", event.toString());
  }
}
