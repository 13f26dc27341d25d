package dev.connectorevents.acceptance.examples;

import static dev.connectorevents.acceptance.examples.ConnectedService.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.Promise;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which events each connector makes of webhooks: their payloads, types and keys. */
class ExampleEventsTest {

  @AutoClose private static final ConnectedService connected = new ConnectedService();

  /** The topic of this test's webhooks. No other test has it. */
  private final String topic = "t" + UUID.randomUUID();

  @ParameterizedTest
  @CsvSource({
    "PYTHON_WITH_OUTBOX, GITHUB,  octo/hub",
    "PYTHON_WITH_OUTBOX, SHOPIFY, example.myshopify.com",
    "PYTHON_WITH_OUTBOX, STRIPE,  acct_1",
    "NODE,               SHOPIFY, example.myshopify.com",
    "JAVA,               SHOPIFY, example.myshopify.com",
  })
  @Promise("the connector verifies it before it forwards an event.")
  void what_the_provider_signed_is_stored_once_with_its_brand_and_nothing_else_is(
      ConnectorKind kind, Provider provider, String brand) throws Exception {
    String body =
        ("{ 'id':'evt_@',\r\n'type':'@', 'n':1.0, 'account':'acct_1', 'organization':null,"
                + "'repository':{'full_name':'octo/hub'} }")
            .replace('\'', '"')
            .replace("@", topic);
    String forged = body.replace("1.0", "2.0");
    String last = topic + "-last";
    Map<String, String> settings =
        Map.of(
            "PROVIDER",
            provider.source(),
            "CONNECTOR_API_TOKEN",
            connected.token(ConnectedService.EMAIL));
    connected.gateway().reset();
    try (ExampleConnector connector = connected.start(kind, settings)) {
      for (int delivery = 0; delivery < 2; delivery++) {
        assertThat(connector.deliver(provider, topic, topic, body)).isEqualTo(200);
      }
      for (Map<String, String> headers : wrongSignatures(provider.headers(topic, "forged", body))) {
        assertThat(connector.post("/webhooks", headers, forged.getBytes(UTF_8)))
            .as(headers.toString())
            .isEqualTo(401);
      }
      assertThat(connector.deliver(provider, last, last, body.replace(topic, last))).isEqualTo(200);
      await(() -> count(provider, last) > 0);

      assertThat(stored(provider, topic)).extracting(StoredWebhook::payload).containsExactly(body);
      JsonNode meta = stored(provider, topic).getFirst().meta();
      assertThat(meta.get("brand_id").textValue()).isEqualTo(brand);
      if (provider == Provider.SHOPIFY) {
        assertThat(meta.get("shop").textValue()).isEqualTo(brand);
      }
      assertThat(meta).hasSize(provider == Provider.SHOPIFY ? 6 : 5);
      assertThat(connector.refused(topic)).isEmpty();
      assertThat(connector.log())
          .anyMatch(line -> line.contains("401") && line.contains("the signature is wrong"));
    }
    assertThat(connected.gateway().requestCount(UnreliableGateway.LOGIN)).isZero();
  }

  /**
   * The headers of deliveries that the provider did not sign.
   *
   * @param ofAnother the headers of another body
   */
  private static List<Map<String, String>> wrongSignatures(Map<String, String> ofAnother) {
    List<Map<String, String>> wrong = new ArrayList<>(List.of(Map.of(), ofAnother));
    for (String signature : List.of("", "é", "AAAA", "sha256=é", "t=now,v1=é,=,")) {
      Map<String, String> headers = new HashMap<>(ofAnother);
      headers.replaceAll(
          (name, value) -> name.matches(".*-(Hmac-Sha256|Signature.*)") ? signature : value);
      wrong.add(headers);
    }
    return wrong;
  }

  private static List<StoredWebhook> stored(Provider provider, String topic) {
    return StoredWebhook.all(connected.service(), provider.source() + "." + topic);
  }

  private static int count(Provider provider, String topic) {
    return StoredWebhook.count(connected.service(), provider.source() + "." + topic);
  }

  @ParameterizedTest
  @EnumSource
  void a_body_that_no_provider_sends_is_a_line_in_the_log(ConnectorKind kind) throws Exception {
    ExampleConnector connector = connected.running(kind);
    Map<String, String> length = Map.of("Content-Length", "25000001");
    byte[] body = new byte[kind.hasOutbox() ? 0 : 25_000_001]; // Python reads only the length

    assertThat(connector.post("/webhooks", length, body)).isEqualTo(413);

    assertThat(connector.log())
        .anyMatch(line -> line.contains("413") && line.contains("more than 25000000 bytes"));
  }

  @ParameterizedTest
  @EnumSource
  void unsigned_bodies_of_a_stranger_do_not_fill_the_memory(ConnectorKind kind) throws Exception {
    int size = 25_000_000;
    Map<String, String> length = Map.of("Content-Length", Integer.toString(size));
    ExampleConnector connector = connected.running(kind);
    await(() -> {
      try (Socket first = connector.begin(size);
          Socket second = connector.begin(size);
          Socket third = connector.begin(size);
          Socket fourth = connector.begin(size)) {
        Thread.sleep(500); // it reads what is on its way
        return connector.post("/webhooks", length, new byte[0]) == 503
            && Stream.of(first, second, third, fourth).allMatch(Socket::isConnected);
      }
    });

    await(() -> connector.deliver(topic, topic, "{}") == 200); // the memory is free again
    assertThat(connector.log()).anyMatch(line -> line.contains("other bodies take all memory"));
  }

  @ParameterizedTest
  @EnumSource
  void a_payload_with_its_own_meta_is_wrapped_and_all_others_are_stored_as_they_are(
      ConnectorKind kind) throws Exception {
    List<String> wrapped =
        List.of(
            "{\"_meta\":{}}",
            "{ \"a\\\"\":\"{\", \"_meta\" :1.0}",
            "{\"b\":[{}],\"\\u005fmet\\u0061\":{\"_meta\":[]}}",
            "[]",
            "[{\"_meta\":1E400}]");
    List<String> plain =
        List.of(
            "{}",
            "{\"n\":" + "1".repeat(5_000) + "}",
            "{\"deep\":" + "[".repeat(995) + "]".repeat(995) + "}",
            "{\"a\":\"_meta\",\"b\":[{\"_meta\":1}],\"c\":{\"_meta\":{}}}",
            "{\"_META\":1,\"\\\\\":\"\\\"_meta\\\":\"}");
    List<String> all = Stream.concat(wrapped.stream(), plain.stream()).toList();
    for (String payload : all) {
      Map<String, String> headers =
          new HashMap<>(Provider.shopifyEvents(topic, topic + all.indexOf(payload), payload));
      if (plain.contains(payload)) {
        headers.remove("Shopify-Shop-Domain");
      }
      deliver(kind, headers, payload);
    }

    await(() -> count(Provider.SHOPIFY, topic) == all.size());
    List<StoredWebhook> stored = stored(Provider.SHOPIFY, topic);
    assertThat(stored.stream().filter(each -> each.meta().has("wrapped")))
        .allMatch(each -> each.meta().get("wrapped").textValue().equals("payload"))
        .extracting(StoredWebhook::payload)
        .containsExactlyInAnyOrderElementsOf(
            wrapped.stream().map(each -> "{\"payload\":" + each + "}").toList());
    assertThat(stored)
        .allMatch(each -> each.meta().has("brand_id") == each.meta().has("wrapped"))
        .allMatch(each -> each.meta().has("shop") == each.meta().has("wrapped"));
    assertThat(stored.stream().filter(each -> !each.meta().has("wrapped")))
        .extracting(StoredWebhook::payload)
        .containsExactlyInAnyOrderElementsOf(plain);
  }

  @ParameterizedTest
  @EnumSource
  @Promise("Percent-encode other characters, as in `%C3%A9`")
  void a_topic_becomes_an_event_type_in_ascii(ConnectorKind kind) throws Exception {
    Map<String, String> topics =
        Map.of(
            "orders/@create", "orders/@create",
            "//data///@Change/", "data/@Change",
            "a /b/ c / @d", "a%20/b/%20c%20/%20@d",
            "/ @ /", "%20@%20",
            "café@", "caf%C3%A9@",
            "@*b,c\"d\\e", "@%2Ab%2Cc%22d%5Ce",
            "@ b%c[d]#e", "@ b%c[d]#e");
    for (String sent : topics.keySet()) {
      String own = sent.replace("@", topic);
      deliver(kind, Provider.shopifyEvents(own, topic + sent.hashCode(), "{}"), "{}");
    }

    for (String typed : topics.values()) {
      await(() -> count(Provider.SHOPIFY, typed.replace("@", topic)) == 1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void no_two_ids_get_the_same_key(ConnectorKind kind) throws Exception {
    Map<String, String> keys = new LinkedHashMap<>(); // by id
    for (String plain : List.of("-a", "-a b", "-!\"#$&'()*+,/:;<=>?@[\\]^`{|}~")) {
      keys.put(topic + plain, topic + plain);
    }
    keys.put(topic + "-50%", topic + "-50%25");
    keys.put(topic + "-%C3%A9", topic + "-%25C3%25A9");
    keys.put(topic + "-é", topic + "-%C3%A9");
    keys.put(topic + "-ê", topic + "-%C3%AA");
    String longest = topic + "x".repeat(255 - topic.length());
    keys.put(longest, longest);
    for (String longer : List.of(longest + "x", longest + "y", topic + "é".repeat(37))) {
      keys.put(longer, sha256(longer));
    }
    for (String id : keys.keySet()) {
      Map<String, String> headers = new HashMap<>(Provider.shopifyEvents(topic, id + " ", "{}"));
      headers.put("X-Shopify-Webhook-Id", ""); // HTTP drops the spaces around a header's value
      deliver(kind, headers, "{}");
    }

    await(() -> count(Provider.SHOPIFY, topic) == keys.size());
    assertThat(connected.missing(keys.values())).isEmpty();
  }

  private static void deliver(ConnectorKind kind, Map<String, String> headers, String body)
      throws Exception {
    assertThat(connected.running(kind).deliverInChunks(headers, body.getBytes(UTF_8)))
        .isEqualTo(200);
  }

  private static String sha256(String text) throws GeneralSecurityException {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    return HexFormat.of().formatHex(digest);
  }
}
