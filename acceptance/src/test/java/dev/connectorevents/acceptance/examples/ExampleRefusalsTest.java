package dev.connectorevents.acceptance.examples;

import static dev.connectorevents.acceptance.examples.ConnectedService.await;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.dynamodb.events.Tombstones;
import dev.connectorevents.emulator.CommandOnPath;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each connector does with a webhook that it cannot forward, or that the service refuses. */
class ExampleRefusalsTest {

  @AutoClose private static final ConnectedService connected = new ConnectedService();

  /** The topic of this test's webhooks. No other test has it. */
  private final String topic = "t" + UUID.randomUUID();

  @ParameterizedTest
  @EnumSource
  void what_cannot_be_forwarded_is_kept_byte_for_byte(ConnectorKind kind) throws Exception {
    ExampleConnector connector = connected.running(kind);
    Map<String, String> withoutId = Map.of("X-Shopify-Topic", topic);
    Map<String, String> withoutTopic = Map.of("X-Shopify-Webhook-Id", topic);
    Map<String, String> whole = Map.of("X-Shopify-Topic", topic, "X-Shopify-Webhook-Id", topic);
    String almostTooLarge = "{\"a\":\"" + "\\\"".repeat(400_000) + "a".repeat(4_669_000) + "\"}";
    List<Map.Entry<byte[], Map<String, String>>> webhooks = new ArrayList<>();
    webhooks.add(Map.entry("{\"without\":\"id\"}".getBytes(UTF_8), withoutId));
    webhooks.add(Map.entry("{\"without\":\"topic\"}".getBytes(UTF_8), withoutTopic));
    webhooks.add(Map.entry("{\"without an end\":".getBytes(UTF_8), whole));
    webhooks.add(Map.entry("{\"a\":1]".getBytes(UTF_8), whole));
    webhooks.add(Map.entry("{]".getBytes(UTF_8), whole));
    webhooks.add(Map.entry("]".getBytes(UTF_8), whole));
    webhooks.add(Map.entry("7".getBytes(UTF_8), whole));
    webhooks.add(Map.entry(new byte[0], whole));
    webhooks.add(Map.entry("\"{}\"".getBytes(UTF_8), whole));
    webhooks.add(Map.entry("{\"more\":1},\"than one\":{}".getBytes(UTF_8), whole));
    webhooks.add(Map.entry("[1],\"more than one\":[]".getBytes(UTF_8), whole));
    webhooks.add(Map.entry("{\"not\":\"UTF-8: é\"}".getBytes(ISO_8859_1), whole));
    webhooks.add(Map.entry((almostTooLarge + " ".repeat(20_000)).getBytes(UTF_8), whole));
    webhooks.add(Map.entry(almostTooLarge.getBytes(UTF_8), whole));
    if (!kind.hasOutbox()) {
      Files.deleteIfExists(connector.kept()); // so that the connector makes the file
    }
    for (Map.Entry<byte[], Map<String, String>> webhook : webhooks) {
      Map<String, String> headers = new HashMap<>(webhook.getValue());
      headers.put("X-Shopify-Hmac-Sha256", Provider.shopifySignature(webhook.getKey()));
      assertThat(connector.deliverInChunks(headers, webhook.getKey())).isEqualTo(200);
    }

    List<JsonNode> refused = connector.refused(topic);
    assertThat(refused)
        .extracting(each -> each.get("body").textValue())
        .containsExactlyElementsOf(
            webhooks.stream()
                .limit(webhooks.size() - 1)
                .map(Map.Entry::getKey)
                .map(Base64.getEncoder()::encodeToString)
                .toList());
    assertThat(refused)
        .extracting(each -> each.at("/answer/reason").textValue())
        .startsWith("it has no topic or no id", "it has no topic or no id")
        .last()
        .asString()
        .matches("628\\d{4} bytes as Lambda counts, more than 6275000");
    await(() -> connected.count(topic) == 1);
    assertThat(connected.stored(topic)).containsExactly(almostTooLarge);
    assertThat(Files.getPosixFilePermissions(connector.kept()))
        .hasToString("[OWNER_READ, OWNER_WRITE]");
  }

  @ParameterizedTest
  @EnumSource
  void large_webhooks_that_are_refused_at_the_same_time_are_kept_each_for_itself(ConnectorKind kind)
      throws Exception {
    ExampleConnector connector = connected.running(kind);
    List<String> bodies =
        IntStream.range(0, 4).mapToObj(n -> "{\"n\":" + n + " ".repeat(2_000_000) + "}").toList();
    Map<String, String> sameFile =
        Map.of("REFUSED", connector.kept().toString(), "CONNECTOR_API_TOKEN", "token");
    try (ExecutorService provider = Executors.newVirtualThreadPerTaskExecutor();
        ExampleConnector another = connected.start(kind, sameFile)) {
      List<Callable<Integer>> deliveries =
          bodies.stream()
              .map(body -> {
                boolean isFirst = kind.hasOutbox() || bodies.indexOf(body) % 2 == 0;
                ExampleConnector to = isFirst ? connector : another;
                return (Callable<Integer>) () -> to.deliver(topic, "", body);
              })
              .toList();
      for (Future<Integer> status : provider.invokeAll(deliveries)) {
        assertThat(status.get()).isEqualTo(200);
      }
    }

    assertThat(connector.refused(topic))
        .extracting(
            each -> new String(Base64.getDecoder().decode(each.get("body").textValue()), UTF_8))
        .containsExactlyInAnyOrderElementsOf(bodies);
  }

  @ParameterizedTest
  @EnumSource
  void what_the_service_itself_refuses_is_kept(ConnectorKind kind) throws Exception {
    ExampleConnector connector = connected.running(kind);
    assertThat(connector.deliver(topic, topic, "{}")).isEqualTo(200);
    await(() -> connected.count(topic) == 1);

    assertThat(connector.deliver(topic, topic, "{\"changed\":1}")).isEqualTo(200);
    assertThat(connector.deliver(topic + "-".repeat(255), topic + 2, "{}")).isEqualTo(200);

    await(() -> connector.log().stream().anyMatch(line -> says(line, "key_reused")));
    await(() -> connector.log().stream().anyMatch(line -> says(line, "validation_failed")));
    await(() -> connector.refused(topic).size() == 2);
    assertThat(connector.refused(topic))
        .extracting(each -> each.at("/answer/code").textValue())
        .containsExactlyInAnyOrder("idempotency_key_reused", "validation_failed");
    assertThat(connector.refused(topic))
        .extracting(each -> each.get("event").textValue())
        .anyMatch(event -> event.contains("\"payload\":{\"changed\":1,\"_meta\""));
  }

  @ParameterizedTest
  @EnumSource
  void what_cannot_be_kept_is_not_answered_2xx_and_the_connector_lives_on(ConnectorKind kind)
      throws Exception {
    ExampleConnector connector = connected.running(kind);
    if (kind.hasOutbox()) {
      Process lock =
          onTheOutbox(
              connector,
              """
              outbox.execute("BEGIN EXCLUSIVE")
              print("locked", flush=True)
              sys.stdin.read()
              """);
      lock.inputReader(UTF_8).readLine();
      assertThat(connector.deliver(topic, topic, "{}")).isEqualTo(503);
      lock.destroyForcibly().waitFor();
    } else {
      Files.deleteIfExists(connector.kept());
      Files.createDirectory(connector.kept());
      assertThat(connector.deliver(topic, "", "{}")).isEqualTo(503);
      Files.delete(connector.kept());
    }

    assertThat(connector.deliver(topic, topic, "{}")).isEqualTo(200);
    await(() -> connected.count(topic) == 1);
  }

  @ParameterizedTest
  @EnumSource
  @Promise("and answers the provider 2xx")
  void an_erased_event_is_logged_and_neither_kept_nor_sent_again(ConnectorKind kind)
      throws Exception {
    ExampleConnector connector = connected.running(kind);
    assertThat(connector.deliver(topic, topic, "{}")).isEqualTo(200);
    await(() -> connected.count(topic) == 1);
    World service = connected.service();
    UUID id = StoredWebhook.all(service, "shopify." + topic).getFirst().id();
    new Tombstones(service.dynamoDb(), service.name("EventsTable")).put(id);

    assertThat(connector.deliver(topic, topic, "{}")).isEqualTo(200);

    await(() -> connector.log().stream().anyMatch(line -> says(line, "event_erased")));
    if (kind.hasOutbox()) {
      String count = "print(*outbox.execute('SELECT count(*) FROM events').fetchone())";
      await(() -> onTheOutbox(connector, count).inputReader(UTF_8).readLine().equals("0"));
    }
    assertThat(connected.stored(topic)).isEmpty();
    assertThat(connector.refused(topic)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void an_event_outside_the_scope_is_logged_and_waits_until_an_operator_widens_it(
      ConnectorKind kind) throws Exception {
    String user = "\"email\":\"" + topic + "@example.com\"";
    manageUsers("\"action\":\"create\",\"event_types\":[\"github.*\"]," + user);
    String token = connected.token(topic + "@example.com");
    try (ExampleConnector connector = connected.start(kind, Map.of("CONNECTOR_API_TOKEN", token))) {
      assertThat(connector.deliver(topic, topic, "{}")).isEqualTo(kind.unsettled());
      await(() -> connector.log().stream().anyMatch(line -> says(line, "forbidden")));

      manageUsers("\"action\":\"set-scope\",\"event_types\":[\"shopify.*\"]," + user);

      if (!kind.hasOutbox()) {
        assertThat(connector.deliver(topic, topic, "{}")).isEqualTo(200);
      }
      await(() -> connected.count(topic) == 1);
    }
  }

  private static void manageUsers(String members) {
    JsonNode answer =
        connected.service().operator().invoke("ManageUsersFunction", "{" + members + "}");
    assertThat(answer.has("user")).as(answer.toString()).isTrue();
  }

  /** Whether this test's webhook has a line with this code. */
  private boolean says(String line, String code) {
    return line.contains(topic) && line.contains(code);
  }

  /** Starts a Python program that reads and changes a connector's outbox. */
  private static Process onTheOutbox(ExampleConnector connector, String program)
      throws IOException {
    String open = "import sqlite3, sys\noutbox = sqlite3.connect(sys.argv[1])\n";
    return CommandOnPath.of("python3", "-c", open + program, connector.kept().toString())
        .process()
        .redirectError(Redirect.INHERIT)
        .start();
  }
}
