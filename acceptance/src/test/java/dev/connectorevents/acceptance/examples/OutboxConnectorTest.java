package dev.connectorevents.acceptance.examples;

import static dev.connectorevents.acceptance.examples.ConnectedService.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code examples/connector.py} alone has: other providers than Shopify, an HTTP server that
 * reads chunks itself, and a limit on what it holds.
 */
class OutboxConnectorTest {

  @AutoClose private static final ConnectedService connected = new ConnectedService();

  @TempDir private Path folder;

  /** The topic of this test's webhooks. No other test has it. */
  private final String topic = "t" + UUID.randomUUID();

  @Test
  void keeps_what_is_signed_whatever_its_content_type_and_its_coding() throws Exception {
    try (ExampleConnector connector = connect(Map.of())) {
      for (String type : List.of("application/cloudevents+json", "text/plain")) {
        Map<String, String> headers =
            new HashMap<>(Provider.GITHUB.headers(topic, topic + type, "{}"));
        headers.put("Content-Type", type);
        assertThat(post(connector, headers, "{}")).isEqualTo(200);
        assertThat(connector.post("/webhooks/", headers, "{}".getBytes(UTF_8))).isEqualTo(404);
      }
      String form = "payload=%7B%22n%22%3A1.0%7D"; // GitHub's default
      Map<String, String> headers = new HashMap<>(Provider.GITHUB.headers(topic, topic, form));
      headers.put("Content-Type", "application/x-www-form-urlencoded");
      assertThat(post(connector, headers, form)).isEqualTo(200);
      headers.put("Transfer-Encoding", "gzip, Chunked");
      assertThat(connector.deliverInChunks(headers, form.getBytes(UTF_8))).isEqualTo(200);
      String lineOfASize = "0;" + "x".repeat(1_000);
      assertThat(post(connector, headers, lineOfASize)).isEqualTo(400);

      await(() -> StoredWebhook.count(connected.service(), "github." + topic) == 3);
      assertThat(StoredWebhook.payloads(connected.service(), "github." + topic))
          .containsExactlyInAnyOrder("{}", "{}", "{\"n\":1.0}");
      assertThat(connector.refused(topic)).isEmpty();
    }
  }

  @Test
  void takes_a_provider_that_its_author_adds_as_the_page_says() throws Exception {
    String body = "{\"type\":\"track\",\"event\":\"" + topic + "\",\"messageId\":\"m\"}";
    Map<String, String> headers = segmentHeaders(body);
    Map<String, String> wrong = segmentHeaders(body + " ");
    try (ExampleConnector connector =
        connectWith(Page.of("connectors.md").json("\"Segment\": {"))) {
      assertThat(post(connector, headers, body)).isEqualTo(200);
      assertThat(post(connector, wrong, body)).isEqualTo(401);
      await(() -> StoredWebhook.count(connected.service(), "segment." + topic) > 0);
    }
  }

  private static Map<String, String> segmentHeaders(String body) {
    return Map.of("X-Signature", HexFormat.of().formatHex(Provider.hmac("HmacSHA1", body)));
  }

  /** Starts a connector with this form beside those of the other providers. */
  private ExampleConnector connectWith(String form) throws Exception {
    Path examples = Path.of("../examples");
    for (String file : List.of("connector.py", "outbox.py", "providers.py", "providers.json")) {
      String text = Files.readString(examples.resolve(file));
      boolean hasForms = file.endsWith(".json");
      Files.writeString(
          folder.resolve(file), hasForms ? "{" + form + "," + text.substring(1) : text);
    }
    return connected.start(
        List.of(ExampleConnector.python().getFirst(), folder.resolve("connector.py") + ""),
        Map.of("PROVIDER", "segment", "CONNECTOR_API_TOKEN", connected.token()));
  }

  @Test
  void refuses_what_is_no_event_without_keeping_it_and_refuses_what_it_cannot_hold()
      throws Exception {
    try (ExampleConnector connector = connect(Map.of("MAX_BODIES", "100000"))) {
      String ping = "{\"zen\":\"" + topic + "\"}";
      assertThat(connector.deliver(Provider.GITHUB, "ping", topic, ping)).isEqualTo(200);
      assertThat(connector.refused("")).isEmpty();
      assertThat(StoredWebhook.payloads(connected.service(), "github.ping")).isEmpty();
      assertThat(connector.log()).anyMatch(line -> line.contains("GitHub's ping"));

      assertThat(post(connector, Map.of("Content-Length", "100001"), "")).isEqualTo(503);
      String large = "{\"a\":\"" + "a".repeat(99_000) + "\"}";
      for (int i = 0; i < 3; i++) { // each gives back what it took
        assertThat(connector.deliver(Provider.GITHUB, topic, topic + i, large)).isEqualTo(200);
      }
      byte[] chunks = "x".repeat(200_000).getBytes(UTF_8);
      assertThat(connector.deliverInChunks(Map.of(), chunks)).isEqualTo(503);
    }
  }

  private static ExampleConnector connect(Map<String, String> settings) throws Exception {
    Map<String, String> all = new HashMap<>(settings);
    all.put("PROVIDER", Provider.GITHUB.source());
    all.put("CONNECTOR_API_TOKEN", connected.token());
    return connected.start(all);
  }

  private static int post(ExampleConnector connector, Map<String, String> headers, String body)
      throws Exception {
    return connector.post("/webhooks", headers, body.getBytes(UTF_8));
  }
}
