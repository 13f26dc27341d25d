package dev.connectorevents.acceptance.examples;

import static dev.connectorevents.acceptance.examples.ConnectedService.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.user.Role;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plays each provider of {@code examples/providers.py}: it registers its webhook, and delivers. The
 * test signs as the provider's page says. {@code examples/tests} has the values that the providers
 * publish.
 */
class ProvidersTest {

  private static final String PUBLIC_URL = "https://hooks.example.com/webhooks";
  private static final String JSON = "application/json";
  private static final String FORM = "application/x-www-form-urlencoded";

  @AutoClose private static final ConnectedService connected = new ConnectedService();
  @AutoClose private static final HttpClient client = HttpClient.newHttpClient();

  private static String consumer = "";

  /** A part of this run's ids, brands and topics. */
  private static final String OWN = UUID.randomUUID().toString().substring(0, 8);

  /** What a provider sends before the first event, and the answer that it wants. */
  record Handshake(
      String method, String type, Map<String, String> headers, String body, String answer) {}

  /** An event that a delivery holds: its type without the provider, its brand, and its text. */
  record Held(String topic, String brand, String text) {}

  /**
   * @param query what the provider appends to the URL
   * @param sign the headers of a body
   */
  record Play(
      String provider,
      String query,
      Function<String, Map<String, String>> sign,
      List<Handshake> handshakes,
      String type,
      String body,
      List<Held> held) {

    Play(
        String provider,
        Function<String, Map<String, String>> sign,
        List<Handshake> handshakes,
        String body,
        Held... held) {
      this(provider, "", sign, handshakes, JSON, body, List.of(held));
    }

    @Override
    public String toString() {
      return provider;
    }
  }

  static Stream<Play> plays() {
    String now = Long.toString(Instant.now().getEpochSecond());
    String id = OWN;
    List<Handshake> none = List.of();
    String event = "{ \"id\": \"" + id + "\", \"n\":1.0, \"type\":\"t-" + id + "\"";
    String object = event + " }";
    String zendesk = event.replace("\"t-", "\"zen:event-type:t-") + ",\"account_id\":22129848}";
    String form = "MessageStatus=t-" + id + "&AccountSid=AC1&Body=%C3%A9+1&Media=&Media=2";
    String formObject =
        "{\"MessageStatus\": \"t-%s\", \"AccountSid\": \"AC1\", \"Body\": \"é 1\", \"Media\": [\"\", \"2\"]}"
            .formatted(id);
    String slack =
        "{\"event_id\":\"Ev1\",\"team_id\":\"T1\",\"event\":{\"type\":\"t-" + id + "\"}}";
    String interaction = "{\"type\": \"i-" + id + "\", \"team\": {\"id\": \"T1\"}, \"n\": 1.0}";
    Function<String, Map<String, String>> github =
        body ->
            Map.of(
                "X-Hub-Signature-256",
                "sha256=" + hex(body),
                "X-GitHub-Event",
                body.contains("zen") ? "ping" : body.startsWith("payload=") ? "f-" + id : "t-" + id,
                "X-GitHub-Delivery",
                sha256(body));
    Function<String, Map<String, String>> slacks =
        body -> timed("X-Slack-Request-Timestamp", "X-Slack-Signature", now, body);
    Function<String, Map<String, String>> zoom =
        body -> timed("X-Zm-Request-Timestamp", "X-Zm-Signature", now, body);
    Function<String, Map<String, String>> square =
        body -> Map.of("X-Square-HmacSha256-Signature", base64("HmacSHA256", PUBLIC_URL + body));
    Function<String, Map<String, String>> xero =
        body -> Map.of("X-Xero-Signature", base64("HmacSHA256", body));
    Function<String, Map<String, String>> notion =
        body -> Map.of("X-Notion-Signature", "sha256=" + hex(body));
    List<String> five =
        Stream.of(1, 2, 3, 4, 5)
            .map(n ->
                "{\"eventId\":1,\"subscriptionId\":7,\"portalId\":62515,\"occurredAt\":1564113600000,"
                    + " \"subscriptionType\":\"t-"
                    + id
                    + "\",\"objectId\":"
                    + n
                    + "}")
            .toList();
    String xeroEvent =
        "{\"eventCategory\":\"INVOICE\",\"eventType\":\"t-%s\",\"tenantId\":\"T1\", \"n\":%d}";
    String okta = "{\"uuid\":\"u%d-" + id + "\",\"eventType\":\"t-" + id + "\", \"n\":1.0}";
    return Stream.of(
        new Play(
            "github",
            github,
            List.of(handshake(github, "{\"zen\":\"z\"}", "")),
            event + ",\"organization\":{\"login\":\"octo\"}}",
            new Held("t-" + id, "octo", event + ",\"organization\":{\"login\":\"octo\"}}")),
        new Play(
            "github",
            "",
            github,
            none,
            FORM,
            "payload=" + URLEncoder.encode(object, UTF_8),
            List.of(new Held("f-" + id, "", object))),
        new Play(
            "shopify",
            body ->
                Map.of(
                    "X-Shopify-Hmac-Sha256",
                    base64("HmacSHA256", body),
                    "X-Shopify-Topic",
                    "t-" + id,
                    "X-Shopify-Webhook-Id",
                    id,
                    "X-Shopify-Shop-Domain",
                    "a.myshopify.com"),
            none,
            object,
            new Held("t-" + id, "a.myshopify.com", object)),
        new Play(
            "stripe",
            body -> Map.of("Stripe-Signature", "t=" + now + ",v1=" + hex(now + "." + body)),
            none,
            object,
            new Held("t-" + id, "", object)),
        new Play(
            "slack",
            slacks,
            List.of(
                handshake(slacks, "{\"type\":\"url_verification\",\"challenge\":\"c&1\"}", "c&1"),
                new Handshake("POST", FORM, Map.of(), "ssl_check=1&token=t", "")),
            slack,
            new Held("t-" + id, "T1", slack)),
        new Play(
            "slack",
            "",
            slacks,
            none,
            FORM,
            "payload=" + URLEncoder.encode(interaction, UTF_8),
            List.of(new Held("interaction/i-" + id, "T1", interaction))),
        new Play(
            "gitlab",
            body ->
                Map.of(
                    "X-Gitlab-Token",
                    Provider.SECRET,
                    "X-Gitlab-Event",
                    "t-" + id,
                    "Idempotency-Key",
                    id),
            none,
            object,
            new Held("t-" + id, "", object)),
        new Play(
            "twilio",
            "",
            body ->
                Map.of(
                    "X-Twilio-Signature",
                    base64(
                        "HmacSHA1",
                        PUBLIC_URL + "AccountSidAC1Bodyé 1MediaMedia2MessageStatust-" + id),
                    "I-Twilio-Idempotency-Token",
                    id),
            none,
            FORM,
            form,
            List.of(new Held("message/t-" + id, "AC1", formObject))),
        new Play(
            "twilio",
            "?bodySHA256=" + sha256("[" + object + "]"),
            body ->
                Map.of(
                    "X-Twilio-Signature",
                    base64("HmacSHA1", PUBLIC_URL + "?bodySHA256=" + sha256("[" + object + "]"))),
            none,
            JSON,
            "[" + object + "]",
            List.of(new Held("t-" + id, "", object))),
        new Play(
            "hubspot",
            body ->
                Map.of(
                    "X-HubSpot-Request-Timestamp",
                    now + "000",
                    "X-HubSpot-Signature-v3",
                    base64("HmacSHA256", "POST" + PUBLIC_URL + body + now + "000")),
            none,
            "[" + String.join(",\n ", five) + "]",
            five.stream().map(each -> new Held("t-" + id, "62515", each)).toArray(Held[]::new)),
        new Play(
            "xero",
            xero,
            List.of(handshake(xero, "{\"events\":[],\"entropy\":\"S0m3r4nd0m\"}", "")),
            "{\"events\":[" + xeroEvent.formatted(id, 1) + "," + xeroEvent.formatted(id, 2) + "]}",
            new Held("INVOICE/t-" + id, "T1", xeroEvent.formatted(id, 1)),
            new Held("INVOICE/t-" + id, "T1", xeroEvent.formatted(id, 2))),
        new Play(
            "zendesk",
            body ->
                Map.of(
                    "X-Zendesk-Webhook-Signature-Timestamp",
                    Instant.ofEpochSecond(Long.parseLong(now)) + "",
                    "X-Zendesk-Webhook-Signature",
                    base64("HmacSHA256", Instant.ofEpochSecond(Long.parseLong(now)) + body)),
            none,
            zendesk,
            new Held("zen:event-type:t-" + id, "22129848", zendesk)),
        new Play(
            "woocommerce",
            body ->
                Map.of(
                    "X-WC-Webhook-Signature",
                    base64("HmacSHA256", body),
                    "X-WC-Webhook-Topic",
                    "t-" + id,
                    "X-WC-Webhook-Delivery-ID",
                    id,
                    "X-WC-Webhook-Source",
                    "https://shop.example.com/"),
            List.of(new Handshake("POST", FORM, Map.of(), "webhook_id=7", "")),
            object,
            new Held("t-" + id, "shop.example.com", object)),
        new Play(
            "linear",
            body ->
                Map.of(
                    "Linear-Signature",
                    hex(body),
                    "Linear-Event",
                    "t-" + id,
                    "Linear-Delivery",
                    id),
            none,
            event + ",\"action\":\"create\",\"webhookTimestamp\":" + now + "000}",
            new Held(
                "t-" + id + "/create",
                "",
                event + ",\"action\":\"create\",\"webhookTimestamp\":" + now + "000}")),
        new Play(
            "notion",
            notion,
            List.of(new Handshake("POST", JSON, Map.of(), "{\"verification_token\":\"hush\"}", "")),
            object,
            new Held("t-" + id, "", object)),
        new Play(
            "okta",
            body -> Map.of("Authorization", Provider.SECRET),
            List.of(
                new Handshake(
                    "GET",
                    JSON,
                    Map.of("X-Okta-Verification-Challenge", "c1"),
                    "",
                    "{\"verification\": \"c1\"}")),
            "{\"source\":\"https://acme.okta.com/api\",\"data\":{\"events\":[ "
                + okta.formatted(1)
                + " , "
                + okta.formatted(2)
                + "]}}",
            new Held("t-" + id, "acme.okta.com", okta.formatted(1)),
            new Held("t-" + id, "acme.okta.com", okta.formatted(2))),
        new Play(
            "square",
            square,
            List.of(handshake(square, "{\"type\":\"webhooks.test_notification\"}", "")),
            event + ",\"event_id\":\"" + id + "\",\"merchant_id\":\"M1\"}",
            new Held(
                "t-" + id, "M1", event + ",\"event_id\":\"" + id + "\",\"merchant_id\":\"M1\"}")),
        new Play(
            "zoom",
            zoom,
            List.of(
                handshake(
                    zoom,
                    "{\"event\":\"endpoint.url_validation\",\"payload\":{\"plainToken\":\"p1\"}}",
                    "{\"plainToken\": \"p1\", \"encryptedToken\": \"" + hex("p1") + "\"}")),
            "{\"event\":\"t-" + id + "\",\"payload\":{\"account_id\":\"A1\"}}",
            new Held(
                "t-" + id,
                "A1",
                "{\"event\":\"t-" + id + "\",\"payload\":{\"account_id\":\"A1\"}}")),
        new Play(
            "mailchimp",
            "?secret=" + Provider.SECRET,
            body -> Map.of(),
            List.of(
                new Handshake("GET", FORM, Map.of(), "", ""),
                new Handshake("HEAD", FORM, Map.of(), "", "")),
            FORM,
            "type=t-" + id + "&data%5Blist_id%5D=a1",
            List.of(
                new Held(
                    "t-" + id, "a1", "{\"type\": \"t-" + id + "\", \"data[list_id]\": \"a1\"}"))));
  }

  /** The headers of a signature over a version, the time and the body. */
  private static Map<String, String> timed(
      String timeHeader, String signatureHeader, String time, String body) {
    return Map.of(timeHeader, time, signatureHeader, "v0=" + hex("v0:" + time + ":" + body));
  }

  private static Handshake handshake(
      Function<String, Map<String, String>> sign, String body, String answer) {
    return new Handshake("POST", JSON, sign.apply(body), body, answer);
  }

  @BeforeAll
  static void createTheConsumer() {
    connected.service().createUser("reader@example.com", "a password", Role.CONSUMER);
    consumer = connected.token("reader@example.com");
  }

  @ParameterizedTest
  @MethodSource("plays")
  void a_webhook_is_registered_and_its_events_are_stored_once(Play play) throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put("PROVIDER", play.provider());
    settings.put("WEBHOOK_URL", PUBLIC_URL);
    String user = UUID.randomUUID() + "@example.com"; // the keys of two plays may be the same
    connected.service().createUser(user, "a password", Role.CONNECTOR);
    settings.put("CONNECTOR_API_TOKEN", connected.token(user));
    if (play.provider().equals("notion")) {
      settings.put("WEBHOOK_SECRET", ""); // its handshake brings the secret
    }
    Map<String, String> headers = play.sign().apply(play.body());
    try (ExampleConnector connector = connected.start(settings)) {
      URI url = URI.create(connector.webhooks() + play.query());
      for (Handshake each : play.handshakes()) {
        HttpResponse<String> answer =
            send(each.method(), url, each.type(), each.headers(), each.body());
        assertThat(List.of(answer.statusCode(), answer.body()))
            .isEqualTo(List.of(200, each.answer()));
      }
      for (int delivery = 0; delivery < 2; delivery++) {
        assertThat(send("POST", url, play.type(), headers, play.body()).statusCode())
            .isEqualTo(200);
      }
      for (Map<String, String> wrong : wrong(headers)) {
        URI unsigned = URI.create(url.toString().replace(Provider.SECRET, "guessed"));
        assertThat(send("POST", unsigned, play.type(), wrong, play.body()).statusCode())
            .isEqualTo(401);
      }
      String type = play.provider() + "." + play.held().getFirst().topic();
      await(() -> StoredWebhook.count(connected.service(), type) == play.held().size());

      assertThat(StoredWebhook.payloads(connected.service(), type))
          .containsExactlyInAnyOrderElementsOf(play.held().stream().map(Held::text).toList());
      assertThat(connector.refused("")).isEmpty();
      assertThat(connected.service().number()).isTrue();
      for (Held held : play.held()) {
        String brand = held.brand().isEmpty() ? "" : "&brand_id=" + held.brand();
        String list = UnreliableGateway.EVENTS + "?event_type=" + type + brand;
        assertThat(listed(list)).hasSize(play.held().size());
      }
    }
  }

  private static List<JsonNode> listed(String path) {
    return connected
        .service()
        .client()
        .get(path, consumer)
        .body()
        .get("events")
        .valueStream()
        .toList();
  }

  /** The headers, with another signature or secret in each that has one, and none at all. */
  private static List<Map<String, String>> wrong(Map<String, String> headers) {
    List<Map<String, String>> wrong = new ArrayList<>(List.of(Map.of()));
    wrong.add(
        headers.entrySet().stream()
            .collect(
                toMap(
                    Map.Entry::getKey,
                    each ->
                        each.getKey()
                                .matches(
                                    "(?i).*(signature(-256|-v3)?|hmac-sha256|token|authorization)")
                            ? "sha256=AAAA"
                            : each.getValue())));
    return wrong;
  }

  private static HttpResponse<String> send(
      String method, URI url, String type, Map<String, String> headers, String body)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .header("Content-Type", type);
    headers.forEach(request::header);
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private static String hex(String text) {
    return Provider.hexSignature(text);
  }

  private static String base64(String algorithm, String text) {
    return Base64.getEncoder().encodeToString(Provider.hmac(algorithm, text.getBytes(UTF_8)));
  }

  private static String sha256(String text) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
