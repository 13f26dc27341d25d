package dev.connectorevents.local.inspector;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.local.ServedLocally;
import dev.connectorevents.local.inspector.RequestOutcome.NoEvent;
import dev.connectorevents.local.inspector.RequestRow.EventSummary;
import dev.connectorevents.local.inspector.RequestRow.ExchangeSummary;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lines that {@code local/serve} prints: the outcome of each request, with secrets masked. */
class TerminalTest {

  private static final String TIME = "\\d\\d:\\d\\d:\\d\\d  ";
  private static final String ORDER =
      "{\"event_type\":\"shopify.orders/create\",\"payload\":{\"id\":1}%s}";

  @AutoClose private static final ServedLocally service = ServedLocally.start();
  private static String token = "";

  @BeforeAll
  static void logIn() {
    token = service.token();
  }

  @Test
  void a_stored_event_shows_its_type_its_size_its_write_units_and_its_id() {
    assertThat(printedBy(ORDER.formatted("")))
        .matches(
            TIME
                + "201  shopify.orders/create  POST /api/webhook-events  new"
                + "  0.1 KB -> 0.3 KB, 1 write unit  \\d+ ms  [0-9a-f]{8}…");
  }

  @Test
  void a_compressed_event_shows_gzip() {
    String noise = "\"text\":\"" + "0123456789".repeat(1_000) + "\"";

    assertThat(printedBy("{\"event_type\":\"a.b#1 [c]\",\"payload\":{" + noise + "}}"))
        .matches(TIME + "201  a\\.b#1 \\[c]  POST .*  10.0 KB -> 0.3 KB gzip, 1 write unit  .*");
  }

  @Test
  void a_replay_shows_its_key() {
    printedBy(ORDER.formatted(""), "Idempotency-Key", "k1");

    assertThat(printedBy(ORDER.formatted(""), "Idempotency-Key", "k1"))
        .matches(
            TIME
                + "201  shopify.orders/create  POST /api/webhook-events  replayed: key k1"
                + "  \\d+ ms  [0-9a-f]{8}…");
    assertThat(printedBy(ORDER.formatted(",\"idempotency_key\":\"k1\"")))
        .contains("replayed: key k1  ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"event_type":"Shop","payload":{}} | 422 | Shop           | /event_type: provider: lowercase letters, digits, - and _.*…
          {"event_type":"Shop"}              | 422 | Shop           | /event_type: .* \\(\\+1\\)
          {"event_type":                     | 400 | Store an event | malformed_json: The body ends before its JSON does: .*
          """)
  void a_refused_body_shows_the_first_rule_that_it_breaks(
      String body, int status, String lead, String shown) {
    assertThat(printedBy(body))
        .matches(
            TIME
                + status
                + "  "
                + lead
                + "  POST /api/webhook-events  refused: "
                + shown
                + "  \\d+ ms");
  }

  @Test
  void an_erased_event_shows_its_code_alone_and_in_a_batch() {
    String event = ORDER.formatted(",\"idempotency_key\":\"erased\"");
    String id =
        service
            .json("/_inspector/requests/" + service.sendEvent(token, event))
            .at("/row/outcome/eventId")
            .asText();
    Emulator emulator = service.service();
    emulator
        .dynamoDb()
        .putItem(put ->
            put.tableName(emulator.name("EventsTable"))
                .item(
                    Map.of(
                        "id", fromS(id),
                        "erased_at", fromS("2026-11-20T12:00:05.000Z"),
                        "erasure_id", fromS("0b8f1c5e-7d0a-4f5e-9a33-0d6f1f0c9b11"))));

    assertThat(printedBy(event))
        .matches(TIME + "410  .*  refused: event_erased: An operator erased .*");
    assertThat(onlyLine(() -> service.sendBatch(token, event)))
        .matches(
            TIME
                + "200  shopify.orders/create  POST /api/webhook-events/batch  1 refused: "
                + "/events/0: event_erased: An operator erased .*  \\d+ ms");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          POST | /api/webhook-events/ | no such route; without the trailing slash?
          PUT  | /api/webhook-events  | no such route; this path takes GET, POST
          POST | /api/webhook-event   | no such route; did you mean /api/webhook-events?
          POST | /webhooks/shopify    | no such route
          """)
  void a_request_without_a_route_shows_the_nearest_one(String method, String path, String hint) {
    assertThat(onlyLine(() -> service.send(method, path, "")))
        .matches(TIME + "404  " + method + " " + path + "  \\d+ ms  refused: \\Q" + hint + "\\E");
  }

  @Test
  void a_read_shows_what_its_route_does_its_query_and_both_ends_of_its_path() {
    String path = "/api/webhook-events/01a1ff6d-0000-7000-8000-000000000000/payload?a=b%23c";

    assertThat(onlyLine(() -> service.send("GET", path, "")))
        .contains(
            "  Read an event's payload  GET /api/webhook-events/01a1ff6d-…000000/payload?a=b%23c  ");
  }

  @Test
  void a_token_in_the_query_is_masked() {
    String line = onlyLine(() -> service.send("GET", "/api/auth/me?token=abc", ""));

    assertThat(line).contains("/api/auth/me?token•••").doesNotContain("abc");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "payload":{},"sentAt":1                   | ignored: sentAt (did you mean sent_at?)
          "payload":{},"atempts":1                  | ignored: atempts (did you mean attempts?)
          "payload":{},"colour":"red"               | ignored: colour
          "payload":{},"\\u001b[2J\\u202e":1        | ignored: �[2J�
          "payload":{"_meta":{}},"_meta":{}         | ignored: _meta (it belongs in payload)
          "payload":{"meta":{"brand_id":"1"}}       | ignored: payload.meta (did you mean _meta?)
          "payload":{"Meta":7,"_meta":{}}           |
          "payload":{"_meta":{"brandId":"1"}}       | ignored: payload._meta.brandId (did you mean brand_id?)
          "payload":{"_meta":{"Brand-ID":"1"}}      | ignored: payload._meta.Brand-ID (did you mean brand_id?)
          "payload":{"_meta":{"brandId":"1","brand_id":"1","brand":"1"}} |
          "payload":{"data":{"meta":{}},"_META":1}  | ignored: payload._META (did you mean _meta?)
          """)
  void what_the_service_ignores_shows_also_in_a_batch(String members, @Nullable String hint) {
    String event = "{\"event_type\":\"a.b\"," + members + "}";

    for (String line : List.of(printedBy(event), onlyLine(() -> service.sendBatch(token, event)))) {
      if (hint == null) {
        assertThat(line).contains("new").doesNotContain("ignored");
      } else {
        assertThat(line).contains("new").endsWith("  " + hint);
      }
    }
  }

  @Test
  void what_is_refused_is_not_ignored() {
    String event = "{\"event_type\":\"a.b\",\"payload\":{\"_meta\":{\"colour\":7}},\"colour\":1}";

    assertThat(printedBy(ORDER.formatted(",\"_meta\":{}")))
        .contains("refused: /_meta: belongs in payload  ")
        .doesNotContain("ignored");
    assertThat(printedBy(event))
        .contains("/payload/_meta/colour: a string")
        .endsWith("ignored: colour");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          %1$s,%1$s    | 1 new · 1 replayed  0.2 KB -> 0.3 KB, 1 write unit
          %1$s         | 1 replayed
          %1$s,{}      | 1 replayed · 1 refused: /events/1/event_type: required: .*… \\(\\+1\\)
          """)
  void a_batch_shows_what_became_of_its_events(String events, String shown) {
    String event = ORDER.formatted(",\"idempotency_key\":\"terminal\"");

    String line = onlyLine(() -> service.sendBatch(token, events.formatted(event)));

    assertThat(line)
        .matches(
            TIME
                + "200  shopify.orders/create  POST /api/webhook-events/batch  "
                + shown
                + "  \\d+ ms");
  }

  @Test
  void a_request_for_missing_keys_shows_how_many_are_missing() {
    String keys = "{\"idempotency_keys\":[\"none\",\"of\",\"these\"]}";

    String line =
        onlyLine(() ->
            service.send(
                "POST", "/api/webhook-events/missing", keys, "Authorization", "Bearer " + token));

    assertThat(line)
        .matches(
            TIME
                + "200  Name the keys without an event  POST /api/webhook-events/missing"
                + "  3 missing  \\d+ ms");
  }

  @ParameterizedTest
  @CsvSource({"idempotency_key=k, true", "a=1&Idempotency-Key=k, true", "key=k, false"})
  void a_key_in_the_query_shows(String query, boolean isShown) {
    String hint = "ignored: the key in the query (it belongs in a header or in the event)";

    String line = onlyLine(() -> service.send("POST", "/api/webhook-events?" + query, "{}"));

    assertThat(line.contains(hint)).isEqualTo(isShown);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "two      | two | ignored: a second Idempotency-Key (the key is two,two)",
        "mine     | its | ignored: a second Idempotency-Key (the key is mine,its)",
        "one, one |     | ignored: a second Idempotency-Key (the key is one, one)",
        "a,b      |     |",
      })
  void two_headers_that_arrive_as_one_key_show(
      String key, @Nullable String second, @Nullable String hint) {
    String line =
        second == null
            ? printedBy(ORDER.formatted(""), "Idempotency-Key", key)
            : printedBy(ORDER.formatted(""), "Idempotency-Key", key, "Idempotency-Key", second);

    assertThat(line).contains("  201  ");
    if (hint == null) {
      assertThat(line).doesNotContain("ignored");
    } else {
      assertThat(line).endsWith("  " + hint);
    }
  }

  @Test
  void an_operators_call_shows_its_action_and_its_outcome() {
    assertThat(onlyLine(() -> service.manageUsers("show")))
        .matches(TIME + "ManageUsersFunction  show  done");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "numbered":2,"first_position":8                                | ''
          "beat":7,"feed_behind_seconds":2                               | ''
          "numbered":1,"unreadable":1                                    | numbered 1  unreadable 1
          "error":"DependencyUnavailableException: PutItem FeedTable"    | DependencyUnavailableException: PutItem FeedTable
          """)
  void events_that_get_their_positions_show_no_line_unless_something_is_wrong(
      String members, String shown) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();

    new Terminal(new PrintStream(output, true, UTF_8), ZoneOffset.UTC, false)
        .log("{\"function_name\":\"NumberEventsFunction\"," + members + "}");

    assertThat(output.toString(UTF_8).strip())
        .matches(shown.isEmpty() ? "" : TIME + "NumberEventsFunction  " + shown);
  }

  @Test
  void with_a_log_in_json_it_prints_what_cloudwatch_gets_and_nothing_else() {
    try (ServedLocally json = ServedLocally.startWithJsonLog()) {
      assertThat(json.printedBy(() -> json.login("wrong")))
          .extracting(line -> ServedLocally.read(line).path("route").asText())
          .contains("POST /api/auth/login"); // a beat of the feed may print its line too
      assertThat(json.printedBy(() -> json.get("/none"))).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"201, 32, ''", "404, 33, '  refused'", "503, 31, '  failed'"})
  void a_terminal_with_colors_shows_the_status_in_one(int status, int color, String outcome) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    RequestRow row =
        new RequestRow(
            new ExchangeSummary("id", "2026-01-01T18:45:19Z", "POST", "/", 0, status, 9.4),
            null,
            new EventSummary(null, null, null),
            new NoEvent(),
            null,
            "why",
            List.of(RowNote.of(RowNote.Meaning.IGNORED, "a hint")));

    new Terminal(new PrintStream(output, true, UTF_8), ZoneOffset.UTC, true).print(row);

    assertThat(output.toString(UTF_8))
        .isEqualToIgnoringNewLines(
            "18:45:19  \u001b[%dm%d\u001b[0m  POST /%s  9 ms  \u001b[31mwhy\u001b[0m  \u001b[33mignored: a hint\u001b[0m"
                .formatted(color, status, outcome));
  }

  private static String printedBy(String body, String... headers) {
    return onlyLine(() -> service.sendEvent(token, body, headers));
  }

  private static String onlyLine(Runnable work) {
    List<String> lines = service.printedBy(work);
    assertThat(lines).hasSize(1);
    return lines.getFirst();
  }
}
