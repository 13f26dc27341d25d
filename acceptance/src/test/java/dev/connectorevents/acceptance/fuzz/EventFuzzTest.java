package dev.connectorevents.acceptance.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.eventformat.EventRequest;
import dev.connectorevents.http.Request;
import dev.connectorevents.json.Body;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Fuzzes the parser of events: the envelope and the payload in it. */
class EventFuzzTest {

  private static final IdempotencyKey HEADER = new IdempotencyKey("k");

  /** Makes parsers that accept numbers and names of any length, as the product does. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  @FuzzTest
  void an_event_is_valid_or_refused(byte[] body) throws IOException {
    List<Body<EventRequest>> read = new ArrayList<>();
    Budget.spend(body, () -> read.add(EventRequest.of(request(body), Optional.empty())));
    if (read.getFirst() instanceof Body.Read<EventRequest>(EventRequest valid)) {
      String payload = valid.payload().text();
      assertThat(new String(body, UTF_8)).contains(payload);
      assertThat(isObject(payload)).isTrue();
      assertThat(valid.fingerprint()).isNotNull();
      assertThat(underHeader(body)).isEqualTo(valid.idempotencyKey().orElse(HEADER).equals(HEADER));
      valid
          .idempotencyKey()
          .ifPresent(key -> assertThat(key.value()).matches("[!-~]([ -~]{0,253}[!-~])?"));
    }
  }

  /**
   * Whether the event is valid in a request with an {@code Idempotency-Key}, and then has the key
   * of this header.
   */
  private static boolean underHeader(byte[] body) {
    return EventRequest.of(request(body), Optional.of(HEADER))
            instanceof Body.Read<EventRequest>(EventRequest valid)
        && valid.idempotencyKey().equals(Optional.of(HEADER));
  }

  private static boolean isObject(String json) throws IOException {
    try (JsonParser parser = JSON.createParser(json)) {
      return parser.nextToken() == JsonToken.START_OBJECT
          && parser.skipChildren().currentToken() == JsonToken.END_OBJECT
          && parser.nextToken() == null;
    }
  }

  /** A request with its body in base64, as API Gateway passes a body that may not be text. */
  static Request request(byte[] body) {
    return new Request("id", "192.0.2.1", Map.of(), Base64.getEncoder().encodeToString(body), true);
  }
}
