package dev.connectorevents.acceptance.journeys;

import static dev.connectorevents.acceptance.service.PostingConnector.body;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.PostingConnector;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The payload of an event that was sent over HTTP lies in DynamoDB byte for byte, perhaps as gzip.
 * The only addition is a {@code _meta}, if the payload had none.
 */
class StoredBytesTest {

  @AutoClose private static final PostingConnector connector = new PostingConnector();

  @ParameterizedTest
  @MethodSource("payloads")
  @Promise("The service stores the payload **byte for byte**")
  void a_payload_lies_in_dynamodb_byte_for_byte(String payload) {
    Answer answer = connector.post(body(payload));

    assertThat(answer.status()).isEqualTo(201);
    String stored =
        new String(connector.service().payload(answer.body().get("id").textValue()), UTF_8);
    assertThat(stored.substring(0, payload.length() - 1))
        .isEqualTo(payload.substring(0, payload.length() - 1));
    assertThat(stored.substring(payload.length() - 1)).contains("\"_meta\":{").endsWith("}}");
  }

  static List<String> payloads() {
    return List.of(
        "{}",
        "{\"n\":1.0}",
        "{\"n\":1E400}",
        "{\"n\":0.123456789012345678901234567890}",
        "{\"s\":\"\\u00e9\"}",
        "{\"s\":\"é 😀 \\ud83d\\ude00 \\ud800 \\u0000\"}",
        "{ \"odd\" :\t[ 1 ,2,\r\n  3 ] }",
        "{\"a\":1,\"a\":2,\"\":{\"a\":1,\"a\":2}}",
        "{\"long\":\"" + "x".repeat(100_000) + "\"}");
  }
}
