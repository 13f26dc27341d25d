package dev.connectorevents.acceptance.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.dynamodb.events.Tombstones;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.local.ServedLocally;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs {@code examples/connector.py}, which answers the provider before it sends the event to the
 * service. {@link OutboxConnectorKillTest} kills this connector.
 */
class OutboxConnectorTest {

  private static final String EMAIL = "connector@example.com";
  private static final Map<String, String> LOGIN =
      Map.of("CONNECTOR_API_EMAIL", EMAIL, "CONNECTOR_API_PASSWORD", "correct horse battery");

  @TempDir private static Path data;
  private static ServedLocally service;
  private static UnreliableGateway gateway;

  @TempDir private Path folder;

  /** The topic of the test's webhooks. No other test has it. */
  private final String topic = "t" + UUID.randomUUID();

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    CommandOnPath.assumeWorks("python3", "--version");
    service = ServedLocally.startWith(data, LOGIN);
    gateway = new UnreliableGateway(service.url());
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      gateway.close();
      service.close();
    }
  }

  private static JsonNode manageUsers(String action) {
    return service.manageUsers(action, EMAIL);
  }

  @ParameterizedTest
  @EnumSource
  void stores_what_the_provider_signed_and_nothing_else(Provider provider) throws Exception {
    String body =
        ("{ 'id':'evt_@',\r\n'type':'@', 'n':1.0, 'account':'acct_1', 'organization':null,"
                + "'repository':{'full_name':'octo/hub'} }")
            .replace('\'', '"')
            .replace("@", topic);
    String forged = body.replace("1.0", "2.0");
    try (ExampleConnector connector = connect(provider, token())) {
      assertThat(connector.deliver(provider, topic, topic, body)).isEqualTo(200);
      assertThat(connector.deliver(provider, topic, topic, body)).isEqualTo(200);
      for (Map<String, String> headers :
          List.of(Map.<String, String>of(), provider.headers(topic, "forged", body), wrong())) {
        assertThat(connector.post("/webhooks", forged, headers)).isEqualTo(401);
      }
      assertThat(
              connector.deliver(
                  provider, topic + "-2", topic + "-2", forged.replace(topic, topic + "-2")))
          .isEqualTo(200);
      awaitStored(provider, topic + "-2");

      List<StoredWebhook> stored = stored(provider, topic);
      assertThat(stored).extracting(StoredWebhook::payload).containsExactly(body);
      assertThat(stored.getFirst().meta().path("brand_id").asText())
          .isEqualTo(
              switch (provider) {
                case GITHUB -> "octo/hub";
                case SHOPIFY -> Provider.SHOP;
                case STRIPE -> "acct_1";
              });
    }
  }

  @Test
  void starts_and_takes_a_webhook_by_the_commands_of_its_page() throws Exception {
    String commands =
        Page.of("connectors.md")
            .commands("export CONNECTOR_API_URL=")
            .replace("http://127.0.0.1:3000", gateway.endpoint().toString())
            .replace("=EMAIL", "=" + EMAIL)
            .replace("=PASSWORD", "='" + LOGIN.get("CONNECTOR_API_PASSWORD") + "'")
            .replace("=outbox.db", "='" + outbox() + "'")
            .replace(
                "PROVIDER=", "exec env PROVIDER=") // exec: a kill reaches Python, not the shell
            .replace("examples/", "../examples/");
    try (ExampleConnector connector =
        new ExampleConnector(List.of("bash", "-c", commands), gateway.endpoint(), Map.of())) {
      assertThat(connector.deliverAsThePageSays()).matches("(?s)HTTP/1.[01] 200 .*");

      awaitStored(Provider.SHOPIFY, connector.topic());
    }
  }

  private static Map<String, String> wrong() {
    return Map.of(
        "X-Hub-Signature-256",
        "sha256=é",
        "X-Shopify-Hmac-Sha256",
        "é",
        "Stripe-Signature",
        "t=now,v1=é,=,");
  }

  @Test
  void accepts_stripes_second_signature_but_no_old_one() throws Exception {
    String body = "{\"id\":\"evt_1\",\"type\":\"" + topic + "\"}";
    String right = Provider.stripeSignature(Instant.now(), body);
    String old = Provider.stripeSignature(Instant.now().minus(Duration.ofMinutes(6)), body);
    String ofTwo = right.replace(",v1=", ",v1=00,v0=11,v1=");
    try (ExampleConnector connector = connect(Provider.STRIPE, token())) {
      assertThat(connector.post("/webhooks", body, Map.of("Stripe-Signature", old))).isEqualTo(401);
      assertThat(connector.post("/webhooks", body, Map.of("Stripe-Signature", ofTwo)))
          .isEqualTo(200);
    }
  }

  @Test
  void keeps_what_is_signed_whatever_its_content_type_and_its_coding() throws Exception {
    try (ExampleConnector connector = connect(Provider.GITHUB, token())) {
      for (String type : List.of("application/cloudevents+json", "text/plain")) {
        Map<String, String> headers =
            new HashMap<>(Provider.GITHUB.headers(topic, topic + type, "{}"));
        headers.put("Content-Type", type);
        assertThat(connector.post("/webhooks", "{}", headers)).isEqualTo(200);
        assertThat(connector.post("/webhooks/", "{}", headers)).isEqualTo(404);
      }
      String form = "payload=%7B%7D"; // GitHub's default
      Map<String, String> headers = new HashMap<>(Provider.GITHUB.headers(topic, topic, form));
      headers.put("Content-Type", "application/x-www-form-urlencoded");
      assertThat(connector.post("/webhooks", form, headers)).isEqualTo(200);
      headers.put("Transfer-Encoding", "gzip, Chunked");
      assertThat(connector.deliverInChunks(headers, form.getBytes(UTF_8))).isEqualTo(200);
      Map<String, String> cut = new LinkedHashMap<>(Provider.GITHUB.headers(topic, topic, ""));
      cut.put("Transfer-Encoding", "chunked\r\n\r\n0;" + "x".repeat(1_000)); // a size's line
      assertThat(connector.deliverInChunks(cut, new byte[0])).isEqualTo(400);

      await(() -> stored(Provider.GITHUB, topic).size() == 2);
    }
    String body = Base64.getEncoder().encodeToString("payload=%7B%7D".getBytes(UTF_8));
    assertThat(execute("SELECT body FROM refused"))
        .isEqualTo("[('%s',), ('%s',)]".formatted(body, body));
  }

  @Test
  void accepts_webhooks_while_the_service_fails_and_sends_them_later() throws Exception {
    try (ExampleConnector connector = connect(Provider.GITHUB, token())) {
      gateway.busy(true);
      for (int i = 0; i < 5; i++) {
        String payload = "{\"n\":" + i + "}";
        assertThat(connector.deliver(Provider.GITHUB, topic, topic + i, payload)).isEqualTo(200);
      }
      await(() -> connector.log().stream().anyMatch(line -> line.contains("503")));
      assertThat(stored(Provider.GITHUB, topic)).isEmpty();
    } finally {
      gateway.busy(false);
    }
    try (ExampleConnector restarted = connect(Provider.GITHUB, token())) {
      await(() -> stored(Provider.GITHUB, topic).size() == 5);
      assertThat(restarted.stop()).isTrue();
    }
  }

  @Test
  void logs_in_refreshes_the_token_and_logs_in_again_after_a_revocation() throws Exception {
    gateway.reset();
    try (ExampleConnector connector = connect(Provider.GITHUB, LOGIN)) {
      connector.deliver(Provider.GITHUB, topic, topic, "{}");
      awaitStored(Provider.GITHUB, topic);
      manageUsers("revoke-tokens"); // takes up to 5 s to reach the routes for events
      int sent = 0;
      while (gateway.requestCount(UnreliableGateway.LOGIN) < 2) {
        connector.deliver(Provider.GITHUB, topic, topic + sent++, "{}");
        Thread.sleep(200);
      }
      int all = sent + 1;
      await(() -> stored(Provider.GITHUB, topic).size() == all);
    }
    assertThat(gateway.requestCount(UnreliableGateway.REFRESH)).isPositive();
  }

  @Test
  void accepts_webhooks_but_does_not_repeat_a_login_that_was_refused() throws Exception {
    gateway.reset();
    Map<String, String> wrong =
        Map.of("CONNECTOR_API_EMAIL", EMAIL, "CONNECTOR_API_PASSWORD", "wrong");
    try (ExampleConnector connector = connect(Provider.GITHUB, wrong)) {
      assertThat(connector.deliver(Provider.GITHUB, topic, "1", "{}")).isEqualTo(200);
      await(() -> connector.log().stream().anyMatch(line -> line.contains("invalid_credentials")));
      assertThat(connector.deliver(Provider.GITHUB, topic, "2", "{}")).isEqualTo(200);
    }
    assertThat(gateway.requestCount(UnreliableGateway.LOGIN)).isEqualTo(1);
  }

  @Test
  void asks_the_provider_to_come_again_if_it_cannot_keep_the_webhook() throws Exception {
    Map<String, String> settings = new HashMap<>(token());
    settings.put("PAUSE", "60");
    try (ExampleConnector connector = connect(Provider.GITHUB, settings)) {
      execute("DROP TABLE events");

      assertThat(connector.deliver(Provider.GITHUB, topic, "1", "{}")).isEqualTo(503);
    }
  }

  @Test
  void drops_an_event_that_was_erased() throws Exception {
    try (ExampleConnector connector = connect(Provider.GITHUB, token())) {
      connector.deliver(Provider.GITHUB, topic, topic, "{}");
      awaitStored(Provider.GITHUB, topic);
      Emulator emulator = service.service();
      new Tombstones(emulator.dynamoDb(), emulator.name("EventsTable"))
          .put(stored(Provider.GITHUB, topic).getFirst().id());

      assertThat(connector.deliver(Provider.GITHUB, topic, topic, "{}")).isEqualTo(200);
      await(() -> connector.log().stream().anyMatch(line -> line.contains("event_erased")));
      await(() -> execute("SELECT count(*) FROM events").equals("[(0,)]"));
    }
  }

  @Test
  void parks_an_event_outside_its_scope_until_an_operator_widens_it() throws Exception {
    String user = "\"email\":\"scoped@example.com\"";
    manage("create", user + ",\"event_types\":[\"github." + topic + "\"]");
    String token = manage("issue-static-token", user).at("/token/access_token").textValue();
    Map<String, String> settings = new HashMap<>(Map.of("CONNECTOR_API_TOKEN", token));
    try (ExampleConnector connector = connect(Provider.GITHUB, settings)) {
      connector.deliver(Provider.GITHUB, topic + "-outside", "1", "{}");
      await(() -> connector.log().stream().anyMatch(line -> line.contains("'forbidden'")));
      for (int i = 0; i < 3; i++) {
        int sent = i + 1;
        connector.deliver(Provider.GITHUB, topic, topic + i, "{}");
        await(() -> stored(Provider.GITHUB, topic).size() == sent);
      }
      assertThat(connector.log()).filteredOn(line -> line.contains("'forbidden'")).hasSize(1);
    }

    settings.put("PARKED", "1");
    try (ExampleConnector restarted = connect(Provider.GITHUB, settings)) {
      await(() -> restarted.log().stream().anyMatch(line -> line.contains("'forbidden'")));
      manage("set-scope", user + ",\"event_types\":null");

      awaitStored(Provider.GITHUB, topic + "-outside");
    }
  }

  private static JsonNode manage(String action, String members) {
    String event = "{\"action\":\"" + action + "\"," + members + "}";
    return ServedLocally.read(
        service
            .send("POST", "/2015-03-31/functions/ManageUsersFunction/invocations", event)
            .body());
  }

  /** Executes a statement on the outbox, and returns the rows as Python prints them. */
  private String execute(String statement) throws IOException, InterruptedException {
    String script =
        "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall())";
    CommandOnPath.Result result =
        CommandOnPath.of("python3", "-c", script, outbox(), statement).run(Redirect.INHERIT);
    assertThat(result.exitCode()).isZero();
    return result.output().strip();
  }

  private String outbox() {
    return folder.resolve("outbox").toString();
  }

  private static Map<String, String> token() {
    String token = manageUsers("issue-static-token").at("/token/access_token").textValue();
    return Map.of("CONNECTOR_API_TOKEN", token);
  }

  private ExampleConnector connect(Provider provider, Map<String, String> settings)
      throws IOException {
    Map<String, String> all = new HashMap<>(settings);
    all.put("PROVIDER", provider.source());
    all.put("OUTBOX", outbox());
    return new ExampleConnector(ExampleConnector.WITH_OUTBOX, gateway.endpoint(), all);
  }

  private static List<StoredWebhook> stored(Provider provider, String topic) {
    return StoredWebhook.all(service, provider.source() + "." + topic);
  }

  private static void awaitStored(Provider provider, String topic) throws Exception {
    await(() -> !stored(provider, topic).isEmpty());
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    Instant deadline = Instant.now().plusSeconds(30);
    while (!condition.call()) {
      assertThat(Instant.now()).isBefore(deadline);
      Thread.sleep(20);
    }
  }
}
