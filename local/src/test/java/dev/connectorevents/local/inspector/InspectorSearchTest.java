package dev.connectorevents.local.inspector;

import static dev.connectorevents.local.inspector.InspectedService.order;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.local.ServedLocally;
import dev.connectorevents.local.SharedService;
import java.net.URLEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The search finds requests by any text in them. */
@ResourceLock(SharedService.LOCK)
class InspectorSearchTest {

  @RegisterExtension private static final InspectedService inspector = new InspectedService();

  private final ServedLocally service = inspector.service();

  @Test
  void a_search_finds_text_in_bodies_answers_and_headers() {
    String id = inspector.sendEvent(order("{\"needle\":\"ü\"}"), "X-Pin", "pin");

    assertThat(service.json("/_inspector/search?needle%22:%22%C3%BC"))
        .extracting(JsonNode::asText)
        .containsExactly(id);
    assertThat(service.json("/_inspector/search?pin")).extracting(JsonNode::asText).contains(id);
  }

  @ParameterizedTest
  @CsvSource({"müller", "MÜLLER", "mÜlLeR", "X-CASE", "post-stamp"})
  void a_search_ignores_case(String text) {
    String body = order("{\"name\":\"Müller\"}");
    String id = inspector.sendEvent(body, "X-Case", "Post-Stamp");

    assertThat(service.json("/_inspector/search?" + URLEncoder.encode(text, UTF_8)))
        .extracting(JsonNode::asText)
        .contains(id);
  }

  @Test
  void a_search_takes_its_text_literally() {
    inspector.sendEvent(order("{\"name\":\"abc\"}"));

    assertThat(service.json("/_inspector/search?a.c%5CE")).isEmpty();
  }
}
