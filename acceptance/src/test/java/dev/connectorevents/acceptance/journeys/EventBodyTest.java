package dev.connectorevents.acceptance.journeys;

import static dev.connectorevents.acceptance.service.PostingConnector.EVENTS;
import static dev.connectorevents.acceptance.service.PostingConnector.body;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.PostingConnector;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The service stores a body, or refuses it as {@code docs/api.md} says. */
class EventBodyTest {

  @AutoClose private static final PostingConnector connector = new PostingConnector();

  @Test
  void a_chunked_body_and_one_of_an_unusual_media_type_are_read_alike() {
    byte[] body = body("{\"a\":\"é\"}").getBytes(UTF_8);

    Answer chunked =
        connector
            .service()
            .client()
            .send(
                "POST",
                EVENTS,
                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)),
                "Authorization",
                "Bearer " + connector.token());
    Answer vendor =
        connector.post(body, "Content-Type", "application/vnd.example+json;charset=UTF-8");

    assertThat(chunked.status()).isEqualTo(201);
    assertThat(vendor.status()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/batch", "/missing"})
  @Promise("`request_id` is API Gateway's id of the request.")
  void another_media_type_is_refused_on_every_route_with_a_body(String route) {
    String[] headers = {
      "Authorization", "Bearer " + connector.token(), "Content-Type", "text/plain"
    };
    Answer answer = connector.service().client().post(EVENTS + route, "{}", headers);

    assertThat(answer.status()).isEqualTo(415);
    assertThat(answer.code()).isEqualTo("unsupported_media_type");
    assertThat(answer.body().get("request_id").textValue())
        .isEqualTo(answer.header("apigw-requestid"));
  }

  @ParameterizedTest
  @MethodSource("oddities")
  void an_odd_but_legal_body_is_stored(String members) {
    assertThat(connector.post("{" + members + "}").status()).isEqualTo(201);
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
