package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * A request takes as many bytes of the functions' log and of the access log as the page on costs
 * says: CloudWatch bills them.
 */
class LogSizeTest {

  /** Bytes that CloudWatch Logs adds to each line (PutLogEvents, API Reference). */
  private static final int OVERHEAD = 26;

  private static final String EVENT = "{\"event_type\":\"shopify.orders/create\",\"payload\":{}}";

  private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();

  @AutoClose private final World service = World.start(new Setup().logged(lines::add));

  @Test
  void a_stored_event_takes_as_many_bytes_of_both_logs_as_the_page_says() throws IOException {
    String token = service.client().token();
    String fixed = service.operator().staticToken(World.EMAIL);
    bytesOf(token); // an instance's first line is longer

    assertThat(Files.readString(Path.of("../docs/cost.md")))
        .contains(
            "two lines per request, %d bytes together, %d with a static token"
                .formatted(bytesOf(token), bytesOf(fixed)));
  }

  /** The bytes of the lines of an event that is stored with this token. */
  private int bytesOf(String token) {
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
    return line.length() + access.length() + 2 * OVERHEAD;
  }
}
