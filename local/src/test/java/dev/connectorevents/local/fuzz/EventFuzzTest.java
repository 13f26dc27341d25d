package dev.connectorevents.local.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.http.EventRequest;
import dev.connectorevents.http.Request;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The envelope of an event, and the payload in it. */
@Tag("fuzz")
class EventFuzzTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @FuzzTest
  void an_event_is_valid_or_refused(byte[] body) {
    Budget.spend(
        body,
        () -> {
          if (EventRequest.of(request(body)) instanceof EventRequest.Valid valid) {
            String payload = valid.payload().text();
            assertThat(new String(body, UTF_8)).contains(payload);
            assertThat(JSON.readTree(payload).isObject()).isTrue();
            assertThat(valid.fingerprint()).isNotNull();
          }
        });
  }

  /** As API Gateway passes a body that may be no text. */
  static Request request(byte[] body) {
    return new Request("id", "192.0.2.1", Map.of(), Base64.getEncoder().encodeToString(body), true);
  }
}
