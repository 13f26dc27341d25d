package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A request takes few bytes of the functions' log and of the access log: CloudWatch bills them. */
class LogSizeTest {

  /** Bytes that CloudWatch Logs adds to each line (PutLogEvents, API Reference). */
  private static final int OVERHEAD = 26;

  private static final String EVENT = "{\"event_type\":\"shopify.orders/create\",\"payload\":{}}";

  private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();

  @AutoClose private final World service = World.start(new Setup().logged(lines::add));

  private final String token = service.client().token();

  @Test
  void a_stored_event_takes_at_most_620_bytes_of_both_logs() {
    service
        .client()
        .post("/api/webhook-events", EVENT, token); // an instance's first line is longer
    lines.clear();
    service.client().post("/api/webhook-events", EVENT, token);

    String line = lines.element().replaceFirst("\"duration_ms\":[0-9.]+", "\"duration_ms\":12.345");
    String access =
        TemplateText.ofTheService().properties("Api").at("/AccessLogSettings/Format").asText();
    Map<String, String> values =
        Map.of(
            "$context.requestId", "UEZ0hgQ0joEEJ14=",
            "$context.routeKey", "POST /api/webhook-events",
            "$context.status", "201",
            "$context.identity.sourceIp", "203.0.113.100",
            "$context.responseLatency", "12",
            "$context.error.message", "-",
            "$context.integrationErrorMessage", "-");
    for (Map.Entry<String, String> value : values.entrySet()) {
      access = access.replace(value.getKey(), value.getValue());
    }

    assertThat(access).doesNotContain("$");
    assertThat(line).contains("\"duration_ms\":12.345");
    assertThat(line.length() + access.length() + 2 * OVERHEAD).isLessThanOrEqualTo(620);
  }
}
