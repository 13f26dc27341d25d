package dev.connectorevents.local.inspector;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.emulator.Fixtures;
import dev.connectorevents.local.ServedLocally;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.Role;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the inspector keeps, shows and sends, over HTTP. */
class InspectorTest {

  private static final String ORDER = "{\"event_type\":\"shopify.orders/create\",\"payload\":%s}";
  private static final Pattern NONCE = Pattern.compile("name=\"nonce\" content=\"([^\"]+)\"");

  @AutoClose private static final ServedLocally service = ServedLocally.start();
  private static String token = "";

  @BeforeAll
  static void logIn() {
    token = service.token();
  }

  @ParameterizedTest
  @CsvSource({
    "/_inspector/, text/html, <title>Connector Events",
    "/_inspector/inspector.js, text/javascript, EventSource",
    "/_inspector/editor.js, text/javascript, X-Inspector-Nonce",
    "/_inspector/keys.js, text/javascript, idempotency_key",
    "/_inspector/inspector.css, text/css, color-scheme",
  })
  void its_files_are_served_under_a_strict_policy(String path, String type, String content) {
    HttpResponse<String> answer = service.get(path);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type").orElseThrow()).startsWith(type);
    assertThat(answer.headers().firstValue("content-security-policy").orElseThrow())
        .startsWith("default-src 'none'")
        .doesNotContain("unsafe");
    assertThat(answer.body()).contains(content).doesNotContain("{{");
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /_inspector, 302",
    "GET, /_inspector/none, 404",
    "GET, /_inspector/requests/none, 404",
    "GET, /_inspector/Inspector.class, 404",
    "DELETE, /_inspector/, 405",
    "POST, /_inspector/, 405",
  })
  void nothing_else_is_served(String method, String path, int status) {
    assertThat(service.send(method, path, "").statusCode()).isEqualTo(status);
  }

  @Test
  void a_stored_event_is_shown_with_its_sizes_and_its_log_line() {
    String body = ORDER.formatted("{\"id\":1,\"_meta\":{\"brand_id\":\"42\"}}");

    JsonNode shown = shown(service.sendEvent(token, body, "Idempotency-Key", "shown"));

    assertThat(shown.path("body").asText()).isEqualTo(body);
    JsonNode row = shown.path("row");
    assertThat(row.at("/event/type").asText()).isEqualTo("shopify.orders/create");
    assertThat(row.at("/event/brand").asText()).isEqualTo("42");
    assertThat(row.at("/event/key").asText()).isEqualTo("shown");
    assertThat(row.at("/outcome/isReplayed").asBoolean()).isFalse();
    assertThat(row.at("/outcome/eventId").asText())
        .isEqualTo(ServedLocally.read(shown.path("answer").asText()).path("id").asText());
    assertThat(row.at("/exchange/bytes").asInt()).isEqualTo(body.length());
    assertThat(row.path("stored").path("bytes").asInt()).isBetween(200, 400);
    assertThat(row.path("stored").path("writeUnits").asInt()).isEqualTo(1);
    assertThat(row.path("stored").path("indexUnits").asInt()).isEqualTo(2);
    assertThat(shown.path("log")).hasSize(1);
    assertThat(ServedLocally.read(shown.at("/log/0").asText()).path("status").asInt())
        .isEqualTo(201);
  }

  @Test
  void an_event_of_several_items_takes_two_units_for_each_started_kilobyte_of_each() {
    byte[] random = new byte[1_300_000];
    new Random(1).nextBytes(random);
    // No hexadecimal text looks like a token, which another test searches for.
    String noise = HexFormat.of().formatHex(random);

    JsonNode stored =
        shown(service.sendEvent(token, ORDER.formatted("{\"file\":\"" + noise + "\"}")))
            .at("/row/stored");

    // Three items of 400 KB, and the rest.
    assertThat(stored.path("items").asInt()).isEqualTo(4);
    assertThat(stored.path("writeUnits").asInt())
        .isEqualTo(2 * Math.ceilDiv(stored.path("bytes").asInt(), 1024));
  }

  @Test
  void a_replayed_event_takes_nothing() {
    String body = ORDER.formatted("{\"id\":2}");
    service.sendEvent(token, body, "Idempotency-Key", "replayed");

    JsonNode row = shown(service.sendEvent(token, body, "Idempotency-Key", "replayed")).path("row");

    assertThat(row.at("/outcome/isReplayed").asBoolean()).isTrue();
    assertThat(row.has("stored")).isFalse();
  }

  @Test
  void a_refused_event_has_its_faults_marked_in_the_body() {
    String body = "{\"payload\":{\"_meta\":7},\"status\":[1],\"event_type\":\"Shopify\"}";

    JsonNode places = shown(service.sendEvent(token, body)).path("faultPlaces");

    assertThat(places)
        .extracting(place -> body.substring(place.path("start").asInt(), place.path("end").asInt()))
        .containsExactly("\"_meta\":7", "\"status\":[", "\"event_type\":\"Shopify\"");
  }

  @Test
  void a_batch_shows_its_types_its_counts_and_where_its_events_break_rules() {
    String order = ORDER.formatted("{\"id\":3,\"_meta\":{\"brand_id\":\"9\"}}");
    String events = order + ",{\"event_type\":\"github.push\",\"payload\":7}," + order;

    JsonNode shown = shown(service.sendBatch(token, events));

    JsonNode row = shown.path("row");
    assertThat(row.at("/event/type").asText()).isEqualTo("shopify.orders/create, github.push");
    assertThat(row.at("/event/brand").asText()).isEqualTo("9");
    assertThat(row.at("/outcome/batch").asText()).isEqualTo("3 events: 2 stored, 1 refused");
    assertThat(row.at("/stored/items").asInt()).isEqualTo(2);
    assertThat(row.at("/outcome/faults/0/pointer").asText()).isEqualTo("/events/1/payload");
    JsonNode place = shown.at("/faultPlaces/0");
    assertThat(
            shown
                .path("body")
                .asText()
                .substring(place.path("start").asInt(), place.path("end").asInt()))
        .isEqualTo("\"payload\":7");
  }

  @Test
  void a_body_that_is_not_json_is_marked_where_it_breaks() {
    String body = "{\"event_type\":\"a.b\",\n  \"payload\": nothing}";

    JsonNode place = shown(service.sendEvent(token, body)).at("/faultPlaces/0");

    assertThat(body.substring(place.path("start").asInt())).startsWith("nothing");
  }

  @Test
  void no_password_and_no_token_is_kept() {
    String secret = "hunter22-of-nobody";
    service.login(secret);
    service.login(ServedLocally.PASSWORD);
    service.send("POST", "/api/auth/login?password=" + secret, "password=" + secret);
    service.send("POST", "/api/auth/refresh", "", "Authorization", "Bearer " + token);
    service.send("POST", "/api/none", "{\"password\":\"" + secret, "Cookie", "a=" + secret);

    service.sendEvent(token, ORDER.formatted("{}"), "Idempotency-Key", token);
    service.sendEvent(token, "{\"event_type\":\"" + token + "\",\"" + token + "\":1}");
    service.get("/api/" + token);

    assertThat(service.get("/_inspector/search?").body()).isNotEmpty();
    for (JsonNode id : service.json("/_inspector/search?")) {
      assertThat(service.get("/_inspector/requests/" + id.asText()).body())
          .doesNotContain(secret, ServedLocally.PASSWORD, "eyJ");
    }
    for (String text : List.of(secret, ServedLocally.PASSWORD, token, "eyJ")) {
      assertThat(service.json("/_inspector/search?" + text.replace(" ", "%20"))).isEmpty();
    }
    assertThat(service.json("/_inspector/search?password")).hasSizeGreaterThan(3);
  }

  @Test
  void a_search_finds_text_in_bodies_answers_and_headers() {
    String id = service.sendEvent(token, ORDER.formatted("{\"needle\":\"ü\"}"), "X-Pin", "pin");

    assertThat(service.json("/_inspector/search?needle%22:%22%C3%BC"))
        .extracting(JsonNode::asText)
        .containsExactly(id);
    assertThat(service.json("/_inspector/search?pin")).extracting(JsonNode::asText).contains(id);
  }

  @ParameterizedTest
  @CsvSource({"müller", "MÜLLER", "mÜlLeR", "X-CASE", "post-stamp"})
  void a_search_ignores_case(String text) {
    String body = ORDER.formatted("{\"name\":\"Müller\"}");
    String id = service.sendEvent(token, body, "X-Case", "Post-Stamp");

    assertThat(service.json("/_inspector/search?" + URLEncoder.encode(text, UTF_8)))
        .extracting(JsonNode::asText)
        .contains(id);
  }

  @Test
  void a_search_takes_its_text_literally() {
    service.sendEvent(token, ORDER.formatted("{\"name\":\"abc\"}"));

    assertThat(service.json("/_inspector/search?a.c%5CE")).isEmpty();
  }

  @Test
  void a_request_that_is_not_kept_says_why() {
    assertThat(service.json("/_inspector/requests/none").path("message").asText())
        .contains("at most the last 500", "none from before a restart");
  }

  @Test
  void the_stream_begins_with_what_is_kept_and_goes_on() throws Exception {
    String before = service.sendEvent(token, ORDER.formatted("{}"));
    try (Stream stream = new Stream("")) {
      List<String> kept = stream.nextIds();
      String after = service.sendEvent(token, ORDER.formatted("{}"));

      assertThat(kept).contains(before).doesNotContain(after);
      assertThat(stream.nextIds()).containsExactly(after);
    }
  }

  @Test
  void a_page_that_connects_again_gets_what_it_has_missed() throws Exception {
    service.sendEvent(token, ORDER.formatted("{}"));
    String position;
    try (Stream stream = new Stream("")) {
      stream.nextIds();
      position = stream.position;
    }
    String missed = service.sendEvent(token, ORDER.formatted("{}"));

    try (Stream again = new Stream(position);
        Stream afterRestart = new Stream("of-another-process 3")) {
      assertThat(again.nextIds()).containsExactly(missed);
      assertThat(afterRestart.nextIds()).hasSizeGreaterThan(1).contains(missed);
    }
  }

  /** After a restart there may be no request for long, but the page must forget its rows. */
  @Test
  @Timeout(10) // the stream's first sign of life comes after 15 seconds otherwise
  void a_page_that_connects_again_gets_a_message_at_once() throws Exception {
    service.sendEvent(token, ORDER.formatted("{}"));
    try (Stream stream = new Stream("")) {
      stream.nextIds();
      try (Stream again = new Stream(stream.position)) {
        assertThat(again.nextIds()).isEmpty();
        assertThat(again.position).isEqualTo(stream.position);
      }
    }
  }

  @Test
  void an_edited_request_is_sent_as_the_local_user() {
    ObjectNode edited = edited("/api/webhook-events", ORDER.formatted("{\"id\":3}"));
    edited.withObject("/headers").put("Idempotency-Key", "edited");

    JsonNode shown = shown(send(edited, nonce()).path("id").asText());

    assertThat(shown.at("/row/exchange/status").asInt()).isEqualTo(201);
    assertThat(shown.at("/row/event/key").asText()).isEqualTo("edited");
    assertThat(shown.at("/headers/authorization").asText()).isEqualTo("Bearer •••");
  }

  @Test
  void it_logs_in_again_when_the_token_was_revoked() {
    ObjectNode edited = edited("/api/auth/me", "").put("method", "GET");
    assertThat(status(send(edited, nonce()))).isEqualTo(200);

    service.manageUsers("revoke-tokens");

    assertThat(status(send(edited, nonce()))).isEqualTo(200);
    token = service.token();
  }

  @ParameterizedTest
  @CsvSource({"consumer, 200", "connector, 403"})
  void a_list_is_sent_with_a_token_of_the_chosen_role(String role, int status) {
    ObjectNode edited = list().put("role", role);

    assertThat(status(send(edited, nonce()))).isEqualTo(status);
  }

  /** With `--data`, the consumer is there after a restart, and nobody knows its password. */
  @Test
  void the_consumer_of_an_earlier_start_is_used_again() throws Exception {
    LocalUser nobody = new LocalUser(new Email(ServedLocally.EMAIL), Optional.empty());
    Resender.Edited list =
        new Resender.Edited(
            "GET", "/api/webhook-events?event_type=a.b", Map.of(), "", Role.CONSUMER);

    for (int start = 1; start <= 2; start++) {
      String id = new Resender(service.url(), nobody).send(list);

      assertThat(shown(id).at("/row/exchange/status").asInt()).as("start " + start).isEqualTo(200);
    }
  }

  @Test
  void it_logs_in_again_when_the_consumers_token_was_revoked() {
    send(list(), nonce());
    service.manageUsers("revoke-tokens", "reader@inspector.invalid");

    assertThat(status(send(list(), nonce()))).isEqualTo(200);
  }

  @Test
  void an_edited_request_can_be_sent_without_the_token() {
    ObjectNode edited = edited("/api/auth/me", "").put("method", "GET").putNull("role");

    assertThat(status(send(edited, nonce()))).isEqualTo(401);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          path    | example.com/  | The path must start with a slash.
          path    | /a b          | Illegal character
          method  | A B           | illegal method
          """)
  void what_cannot_be_sent_is_refused_with_the_reason(String member, String value, String reason) {
    JsonNode answer = send(edited("/api/auth/me", "").put(member, value), nonce());

    assertThat(answer.path("message").asText()).contains(reason);
  }

  @Test
  void a_path_outside_the_api_is_no_request_to_it() {
    JsonNode answer = send(edited("/docs/", "").put("method", "GET"), nonce());

    assertThat(answer.path("message").asText()).contains("has not got the request");
  }

  @ParameterizedTest
  @CsvSource({"//x/api/auth/me", "//api/auth/me", "///api/auth/me", "//x/_inspector/stream"})
  void a_path_that_begins_with_two_slashes_names_no_host(String path) {
    JsonNode answer = send(edited(path, "").put("method", "GET"), nonce());

    JsonNode exchange = shown(answer.path("id").asText()).at("/row/exchange");
    assertThat(exchange.path("path").asText()).isEqualTo(path);
    assertThat(exchange.path("status").asInt()).isEqualTo(404);
  }

  @Test
  void a_body_of_many_digits_or_members_is_shown_in_short() {
    String number = "7".repeat(50_000);
    StringBuilder members = new StringBuilder();
    for (int i = 0; i < 2_000; i++) {
      members.append(",\"k").append(i).append("\":[0]");
    }

    JsonNode large = shown(service.sendEvent(token, ORDER.formatted("{\"x\":" + number + "}")));
    JsonNode wide = shown(service.sendEvent(token, "{\"payload\":{\"a\":[0,1]}" + members + "}"));

    assertThat(large.at("/row/exchange/status").asInt()).isEqualTo(201);
    assertThat(wide.at("/row/hints")).hasSize(6);
    assertThat(wide.at("/row/hints/5").asText()).isEqualTo("ignored: 1995 more members");
  }

  @Test
  void only_its_own_page_can_send() {
    String edited = edited("/api/auth/me", "").toString();
    String path = "/_inspector/send";

    assertThat(service.send("POST", path, edited).statusCode()).isEqualTo(403);
    assertThat(service.send("POST", path, edited, "X-Inspector-Nonce", "guess").statusCode())
        .isEqualTo(403);
    assertThat(
            service
                .send(
                    "POST",
                    path,
                    edited,
                    "X-Inspector-Nonce",
                    nonce(),
                    "Origin",
                    "http://evil.example")
                .statusCode())
        .isEqualTo(403);
    assertThat(service.send("POST", path, "{}", "X-Inspector-Nonce", nonce()).statusCode())
        .isEqualTo(400);
  }

  private static JsonNode shown(String id) {
    return service.json("/_inspector/requests/" + id);
  }

  private static int status(JsonNode sent) {
    return shown(sent.path("id").asText()).at("/row/exchange/status").asInt();
  }

  private static String nonce() {
    Matcher nonce = NONCE.matcher(service.get("/_inspector/").body());
    assertThat(nonce.find()).isTrue();
    return nonce.group(1);
  }

  private static ObjectNode edited(String path, String body) {
    ObjectNode edited =
        JsonNodeFactory.instance
            .objectNode()
            .put("method", "POST")
            .put("path", path)
            .put("body", body)
            .put("role", "connector");
    edited.putObject("headers").put("Content-Type", "application/json");
    return edited;
  }

  private static ObjectNode list() {
    return edited("/api/webhook-events?event_type=a.b", "")
        .put("method", "GET")
        .put("role", "consumer");
  }

  private static JsonNode send(ObjectNode edited, String nonce) {
    return ServedLocally.read(
        service
            .send("POST", "/_inspector/send", edited.toString(), "X-Inspector-Nonce", nonce)
            .body());
  }

  /** Reads the stream as a page does. */
  private static final class Stream implements AutoCloseable {

    private final BufferedReader lines;
    private String position = "";

    Stream(String lastEventId) throws IOException, InterruptedException {
      HttpRequest.Builder request = HttpRequest.newBuilder(service.url("/_inspector/stream"));
      if (!lastEventId.isEmpty()) {
        request.header("Last-Event-ID", lastEventId);
      }
      InputStream stream = Fixtures.HTTP.send(request.build(), BodyHandlers.ofInputStream()).body();
      lines = new BufferedReader(new InputStreamReader(stream, UTF_8));
    }

    /** The ids of the next message's rows. */
    List<String> nextIds() throws IOException {
      String line = lines.readLine();
      while (!line.startsWith("data: ")) {
        position = line.startsWith("id: ") ? line.substring(4) : position;
        line = lines.readLine();
      }
      List<String> ids = new ArrayList<>();
      ServedLocally.read(line.substring(6))
          .forEach(row -> ids.add(row.at("/exchange/id").asText()));
      return ids;
    }

    @Override
    public void close() throws IOException {
      lines.close();
    }
  }
}
