package dev.connectorevents.acceptance.examples;

import static dev.connectorevents.acceptance.examples.ConnectedService.await;
import static dev.connectorevents.acceptance.examples.ConnectorKind.PYTHON_WITH_OUTBOX;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code examples/connector.py} alone has: other providers than Shopify, an HTTP server that
 * reads chunks itself, and events that it parks. {@link OutboxConnectorKillTest} kills it.
 */
class OutboxConnectorTest {

  @AutoClose private static final ConnectedService connected = new ConnectedService();

  @TempDir private Path folder;

  /** The topic of this test's webhooks. No other test has it. */
  private final String topic = "t" + UUID.randomUUID();

  @Test
  void accepts_stripes_second_signature_but_no_old_one() throws Exception {
    String body = "{\"id\":\"evt_1\",\"type\":\"" + topic + "\"}";
    String right = Provider.stripeSignature(Instant.now(), body);
    String old = Provider.stripeSignature(Instant.now().minus(Duration.ofMinutes(6)), body);
    String ofTwo = right.replace(",v1=", ",v1=00,v0=11,v1=");
    try (ExampleConnector connector =
        connect(Provider.STRIPE, connected.token(ConnectedService.EMAIL), Map.of())) {
      assertThat(post(connector, Map.of("Stripe-Signature", old), body)).isEqualTo(401);
      assertThat(post(connector, Map.of("Stripe-Signature", ofTwo), body)).isEqualTo(200);
    }
  }

  @Test
  void keeps_what_is_signed_whatever_its_content_type_and_its_coding() throws Exception {
    try (ExampleConnector connector =
        connect(Provider.GITHUB, connected.token(ConnectedService.EMAIL), Map.of())) {
      for (String type : List.of("application/cloudevents+json", "text/plain")) {
        Map<String, String> headers =
            new HashMap<>(Provider.GITHUB.headers(topic, topic + type, "{}"));
        headers.put("Content-Type", type);
        assertThat(post(connector, headers, "{}")).isEqualTo(200);
        assertThat(connector.post("/webhooks/", headers, "{}".getBytes(UTF_8))).isEqualTo(404);
      }
      String form = "payload=%7B%7D"; // GitHub's default
      Map<String, String> headers = new HashMap<>(Provider.GITHUB.headers(topic, topic, form));
      headers.put("Content-Type", "application/x-www-form-urlencoded");
      assertThat(post(connector, headers, form)).isEqualTo(200);
      headers.put("Transfer-Encoding", "gzip, Chunked");
      assertThat(connector.deliverInChunks(headers, form.getBytes(UTF_8))).isEqualTo(200);
      String lineOfASize = "0;" + "x".repeat(1_000);
      assertThat(post(connector, headers, lineOfASize)).isEqualTo(400);

      await(() -> stored(topic).size() == 2);
      String kept = Base64.getEncoder().encodeToString(form.getBytes(UTF_8));
      assertThat(connector.refused(topic))
          .extracting(each -> each.get("body").textValue())
          .containsExactly(kept, kept);
      assertThat(connector.log())
          .anyMatch(line -> line.endsWith("it is no JSON: perhaps the provider sends a form"));
    }
  }

  @Test
  void takes_a_provider_that_its_author_adds_as_the_page_says() throws Exception {
    Page page = Page.of("connectors.md");
    String linear = page.python("class Linear");
    String body = "{\"action\":\"create\",\"organizationId\":\"" + topic + "\"}";
    Map<String, String> headers =
        Map.of(
            "Linear-Signature",
            Provider.hexSignature(body),
            "X-Gitlab-Token",
            Provider.SECRET,
            "Linear-Event",
            topic,
            "Linear-Delivery",
            "d");
    for (String each : List.of(linear, linear + "\n" + page.python("    def is_signed"))) {
      try (ExampleConnector connector = connectWith(each)) {
        assertThat(post(connector, headers, body)).isEqualTo(200);
        Map<String, String> wrong = new HashMap<>(headers);
        wrong.put(each.contains("X-Gitlab") ? "X-Gitlab-Token" : "Linear-Signature", "0");
        assertThat(post(connector, wrong, body)).isEqualTo(401);
        await(
            () -> !StoredWebhook.all(connected.service(), "linear." + topic + "/create").isEmpty());
      }
    }
    assertThat(StoredWebhook.all(connected.service(), "linear." + topic + "/create"))
        .hasSize(1)
        .allMatch(event -> event.meta().path("brand_id").asText().equals(topic));
  }

  /** Starts a connector with this class beside those of the other providers. */
  private ExampleConnector connectWith(String provider) throws Exception {
    List<String> command = PYTHON_WITH_OUTBOX.command();
    Path copy = folder.resolve("connector.py");
    Path examples = Path.of("../examples");
    String source = Files.readString(examples.resolve("connector.py"));
    Files.writeString(copy, source.replace("\n\ndef text(", "\n\n" + provider + "\n\ndef text("));
    Files.writeString(folder.resolve("outbox.py"), Files.readString(examples.resolve("outbox.py")));
    String token = connected.token(ConnectedService.EMAIL);
    return connected.start(
        PYTHON_WITH_OUTBOX,
        List.of(command.getFirst(), copy.toString()),
        Map.of("PROVIDER", "linear", "CONNECTOR_API_TOKEN", token));
  }

  @Test
  void parks_an_event_outside_its_scope_until_it_starts_again() throws Exception {
    String user = topic + "@example.com";
    manageUsers("create", user, "github." + topic);
    Map<String, String> parked = Map.of("PARKED", "600", "OUTBOX", folder.resolve("file") + "");
    String token = connected.token(user);
    try (ExampleConnector connector = connect(Provider.GITHUB, token, parked)) {
      connector.deliver(Provider.GITHUB, topic + "-outside", "1", "{}");
      await(() -> connector.log().stream().anyMatch(line -> line.contains("'forbidden'")));
      for (int i = 0; i < 3; i++) {
        int sent = i + 1;
        connector.deliver(Provider.GITHUB, topic, topic + i, "{}");
        await(() -> stored(topic).size() == sent);
      }
      assertThat(connector.log()).filteredOn(line -> line.contains("'forbidden'")).hasSize(1);
    }
    manageUsers("set-scope", user, "github.*");

    try (ExampleConnector restarted = connect(Provider.GITHUB, token, parked)) {
      await(() -> !stored(topic + "-outside").isEmpty());
      assertThat(restarted.log()).noneMatch(line -> line.contains("'forbidden'"));
    }
  }

  private static void manageUsers(String action, String email, String scope) {
    ObjectNode event = JsonNodeFactory.instance.objectNode().put("action", action);
    event.put("email", email).putArray("event_types").add(scope);
    connected.service().operator().invoke("ManageUsersFunction", event.toString());
  }

  private static ExampleConnector connect(
      Provider provider, String token, Map<String, String> settings) throws Exception {
    Map<String, String> all = new HashMap<>(settings);
    all.put("PROVIDER", provider.source());
    all.put("CONNECTOR_API_TOKEN", token);
    return connected.start(PYTHON_WITH_OUTBOX, all);
  }

  private static int post(ExampleConnector connector, Map<String, String> headers, String body)
      throws Exception {
    return connector.post("/webhooks", headers, body.getBytes(UTF_8));
  }

  private static List<StoredWebhook> stored(String topic) {
    return StoredWebhook.all(connected.service(), "github." + topic);
  }
}
