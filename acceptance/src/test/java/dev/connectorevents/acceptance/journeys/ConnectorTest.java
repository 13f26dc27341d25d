package dev.connectorevents.acceptance.journeys;

import static dev.connectorevents.acceptance.service.ApiClient.EVENTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.ApiClient;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.World;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The requests that every connector makes, over real HTTP, and the bodies that it may send. */
class ConnectorTest {

  private static final String EVENT = "{\"event_type\":\"shopify.orders/create\",\"payload\":{}}";

  @AutoClose private static final World service = World.start();
  private static final ApiClient client = service.client();
  private static final String token = client.token();

  @Test
  @Promise("It receives webhooks from a provider and forwards them here.")
  void a_connector_logs_in_reads_its_user_refreshes_its_token_and_posts_an_event() {
    Answer login = client.login(" Connector@Example.COM ", World.PASSWORD);
    assertThat(login.status()).isEqualTo(200);
    assertThat(login.body().get("expires_in").intValue()).isEqualTo(3600);
    assertThat(login.header("cache-control")).isEqualTo("no-store");

    String first = login.body().get("access_token").textValue();
    Answer me = client.get("/api/auth/me", first);
    assertThat(me.status()).isEqualTo(200);
    assertThat(me.body().get("email").textValue()).isEqualTo(World.EMAIL);

    Answer refresh = client.post("/api/auth/refresh", "", first);
    assertThat(refresh.status()).isEqualTo(200);

    String second = refresh.body().get("access_token").textValue();
    Answer event = client.post(EVENTS, EVENT, second);
    assertThat(event.status()).isEqualTo(201);
    assertThat(event.header("location"))
        .isEqualTo(EVENTS + "/" + event.body().get("id").textValue());
  }

  @ParameterizedTest
  @CsvSource({
    "'', missing_token",
    "Basic dTpw, missing_token",
    "Bearer x.y.z, invalid_token",
  })
  @Promise("is untried: read `code` in the body.")
  void a_request_without_a_valid_token_is_refused(String authorization, String code) {
    for (String path : List.of("/api/auth/refresh", EVENTS)) {
      Answer answer = client.post(path, "", "Authorization", authorization);

      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.code()).isEqualTo(code);
      // API Gateway renames WWW-Authenticate.
      assertThat(answer.header("x-amzn-remapped-www-authenticate")).startsWith("Bearer ");
      assertThat(answer.header("www-authenticate")).isEmpty();
    }
  }

  @Test
  @Promise("The other routes ignore a query")
  void a_route_without_query_parameters_ignores_a_query() {
    assertThat(client.get("/api/auth/me?limit=0", token).status()).isEqualTo(200);
    assertThat(client.post("/api/auth/refresh?limit=0", "", token).status()).isEqualTo(200);
    assertThat(client.post(EVENTS + "?limit=0", EVENT, token).status()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/batch", "/missing"})
  @Promise("`request_id` is API Gateway's id of the request")
  void another_media_type_is_refused_on_every_route_with_a_body(String route) {
    String[] headers = {"Authorization", "Bearer " + token, "Content-Type", "text/plain"};
    Answer answer = client.post(EVENTS + route, "{}", headers);

    assertThat(answer.status()).isEqualTo(415);
    assertThat(answer.code()).isEqualTo("unsupported_media_type");
    assertThat(answer.body().get("request_id").textValue())
        .isEqualTo(answer.header("apigw-requestid"));
  }

  @ParameterizedTest
  @MethodSource("oddities")
  void an_odd_but_legal_body_is_stored(String members) {
    assertThat(client.post(EVENTS, "{" + members + "}", token).status()).isEqualTo(201);
  }

  static List<String> oddities() {
    String type = "\"event_type\":\"shopify.orders/create\",";
    return List.of(
        type + "\"payload\":{},\"status\":\"\",\"response\":\"\"",
        type + "\"payload\":{},\"response\":\"" + "\\u0000".repeat(65_536) + "\"",
        type + "\"payload\":{},\"response\":\"" + "é".repeat(32_768) + "\"",
        type + "\"payload\":{\"_meta\":{\"brand_id\":\"" + "b".repeat(3_000) + "\"}}",
        type + "\"payload\":{\"_meta\":{\"brand_id\":\"\",\"wrapped\":\"\"}}",
        type + "\"payload\":{\"_meta\":{\"brand_id\":\"\\ud800\"}}",
        type + "\"payload\":{\"_meta\":{\"\":\"\",\"shop\":\"" + "s".repeat(100_000) + "\"}}",
        type + "\"payload\":{\"\":" + "9".repeat(100_000) + "}",
        type + "\"payload\":" + "{\"a\":".repeat(998) + "1" + "}".repeat(998),
        "\"event_type\":\"a." + "b".repeat(253) + "\",\"payload\":{}",
        "\"a\":" + "[".repeat(900) + "]".repeat(900) + "," + type + "\"payload\":{}");
  }
}
