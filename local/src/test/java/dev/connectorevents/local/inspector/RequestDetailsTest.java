package dev.connectorevents.local.inspector;

import static dev.connectorevents.local.inspector.InspectedService.order;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.local.ServedLocally;
import dev.connectorevents.local.SharedService;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What the inspector shows of one request. */
@ResourceLock(SharedService.LOCK)
class RequestDetailsTest {

  @RegisterExtension private static final InspectedService inspector = new InspectedService();

  private final ServedLocally service = inspector.service();

  @Test
  void a_stored_event_is_shown_with_its_sizes_and_its_log_line() {
    String body = order("{\"id\":1,\"_meta\":{\"brand_id\":\"42\"}}");

    JsonNode shown = inspector.shown(inspector.sendEvent(body, "Idempotency-Key", "shown"));

    assertThat(shown.path("body").asText()).isEqualTo(body);
    JsonNode row = shown.path("row");
    assertThat(row.at("/event/type").asText()).isEqualTo("shopify.orders/create");
    assertThat(row.at("/event/brand").asText()).isEqualTo("42");
    assertThat(row.at("/event/key").asText()).isEqualTo("shown");
    assertThat(row.at("/outcome/isReplayed").asBoolean()).isFalse();
    assertThat(row.at("/outcome/eventId").asText())
        .isEqualTo(ServedLocally.read(shown.path("answer").asText()).path("id").asText());
    assertThat(row.at("/exchange/bytes").asInt()).isEqualTo(body.length());
    assertThat(row.at("/text/sent").asText()).isEqualTo("0.1 KB");
    assertThat(row.path("stored").path("bytes").asInt()).isBetween(200, 400);
    assertThat(row.path("stored").path("writeUnits").asInt()).isEqualTo(1);
    assertThat(shown.path("log")).hasSize(1);
    assertThat(ServedLocally.read(shown.at("/log/0").asText()).path("status").asInt())
        .isEqualTo(201);
  }

  @Test
  void an_event_of_several_items_takes_two_units_for_each_started_kilobyte_of_each() {
    byte[] random = new byte[1_300_000]; // so that compression does not make it small
    new Random(1).nextBytes(random);
    // Hexadecimal text never looks like a token, which InspectorSecurityTest searches for.
    String noise = HexFormat.of().formatHex(random);

    JsonNode stored =
        inspector
            .shown(inspector.sendEvent(order("{\"file\":\"" + noise + "\"}")))
            .at("/row/stored");

    assertThat(stored.path("items").asInt()).isEqualTo(4); // three of 400 KB, and one with the rest
    assertThat(stored.path("writeUnits").asInt())
        .isEqualTo(2 * Math.ceilDiv(stored.path("bytes").asInt(), 1024));
  }

  @Test
  void a_body_of_many_digits_or_members_is_shown_in_short() {
    String number = "7".repeat(50_000);
    StringBuilder members = new StringBuilder();
    for (int i = 0; i < 2_000; i++) {
      members.append(",\"k").append(i).append("\":[0]");
    }

    JsonNode large = inspector.shown(inspector.sendEvent(order("{\"x\":" + number + "}")));
    JsonNode wide =
        inspector.shown(inspector.sendEvent("{\"payload\":{\"a\":[0,1]}" + members + "}"));

    assertThat(large.at("/row/exchange/status").asInt()).isEqualTo(201);
    assertThat(wide.at("/row/hints")).hasSize(6);
    assertThat(wide.at("/row/hints/5/detail").asText()).isEqualTo("1995 more members");
  }

  @Test
  void a_request_that_is_not_kept_says_why() {
    assertThat(service.json("/_inspector/requests/none").path("message").asText())
        .contains("at most the last 500", "none from before a restart");
  }
}
