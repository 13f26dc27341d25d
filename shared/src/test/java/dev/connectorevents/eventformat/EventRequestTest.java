package dev.connectorevents.eventformat;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.event.Delivery;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.event.SentPayload;
import dev.connectorevents.http.Fault;
import dev.connectorevents.json.Body;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the table of fields in {@code docs/api.md}. {@link MisplacedMembersTest} tests the field
 * {@code idempotency_key}.
 */
class EventRequestTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "connector_installation_id | 0",
        "connector_installation_id | 9223372036854775807",
        "status                    | \"\"",
        "status                    | \"anything at all\"",
        "response                  | \"\"",
        "attempts                  | 0",
        "attempts                  | -0",
        "attempts                  | 2147483647",
        "sent_at                   | \"2026-11-20T12:00:00Z\"",
        "next_retry_at             | \"2026-11-20T12:00:00.5+14:00\"",
        "next_retry_at             | \"2026-11-20 12:00:00 +0100\"",
        "unknown                   | {\"a\":[1.5]}",
        "unknown                   | \"\\ud800\"",
      })
  @Promise("The service ignores members that it does not know")
  void an_optional_field_may_be(String field, String json) {
    assertThat(with(field, json)).isInstanceOf(Body.Read.class);
  }

  @Test
  @Promise("The same as an absent member.")
  void null_in_every_optional_field_is_the_same_as_absent() {
    String required = "{\"event_type\":\"x.y\",\"payload\":{}%s}";
    String nulls =
        Stream.of(
                "connector_installation_id",
                "status",
                "response",
                "attempts",
                "sent_at",
                "next_retry_at",
                "idempotency_key")
            .map(field -> ",\"" + field + "\":null")
            .collect(joining());

    assertThat(EventRequest.read(required.formatted(nulls)))
        .isEqualTo(EventRequest.read(required.formatted("")))
        .isInstanceOf(Body.Read.class);
  }

  @Test
  void every_field_is_read() {
    String text =
        """
        {"event_type":"x.y","payload":{},"connector_installation_id":7,"status":"sent",
         "response":"ok","attempts":3,"sent_at":"2026-11-20T13:00:00+01:00",
         "next_retry_at":"2026-11-20T12:00:01.5Z","idempotency_key":"k"}\
        """;

    assertThat(EventRequest.read(text))
        .isEqualTo(
            new Body.Read<>(
                new EventRequest(
                    new EventType("x.y"),
                    new SentPayload("{}", true, Optional.empty()),
                    new Delivery(
                        7L,
                        "sent",
                        "ok",
                        3,
                        Instant.parse("2026-11-20T12:00:00Z"),
                        Instant.parse("2026-11-20T12:00:01.5Z")),
                    Optional.of(new IdempotencyKey("k")))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "null          | required: provider: lowercase letters",
        "7             | a string: <provider>.<topic> in double quotes",
        "{\"x\":\"y\"} | a string: <provider>.<topic> in double quotes",
        "\"shopify\"   | provider: lowercase letters",
      })
  @Promise("`errors` names each fault and its rule")
  void the_fault_of_a_type_names_the_rule_that_it_breaks(String type, String rule) {
    assertThat(faults(with("event_type", type)).getFirst().detail()).startsWith(rule);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "event_type                | null",
        "event_type                | 1",
        "event_type                | \"shopify\"",
        "event_type                | \"shopify.orders//create\"",
        "event_type                | \"shopify.\\ud800\"",
        "payload                   | null",
        "payload                   | \"{}\"",
        "payload                   | []",
        "payload                   | 1",
        "connector_installation_id | -1",
        "connector_installation_id | 9223372036854775808",
        "connector_installation_id | 1.0",
        "connector_installation_id | 1e3",
        "connector_installation_id | \"1\"",
        "connector_installation_id | true",
        "connector_installation_id | [1]",
        "status                    | 1",
        "status                    | {}",
        "status                    | \"\\ud800\"",
        "response                  | false",
        "response                  | \"\\udc00\"",
        "attempts                  | -1",
        "attempts                  | 2147483648",
        "attempts                  | 0.5",
        "attempts                  | \"3\"",
        "sent_at                   | 1763640000",
        "sent_at                   | \"2026-11-20\"",
        "sent_at                   | \"2026-11-20T12:00:00\"",
        "next_retry_at             | \"soon\"",
        "next_retry_at             | {}",
      })
  @Promise({
    "Required. An object",
    "An integer from 0 to 9223372036854775807",
    "An integer from 0 to 2147483647",
    "Integers have no fraction and no exponent",
    "Strings outside the payload must be well-formed Unicode"
  })
  void a_field_may_not_be(String field, String json) {
    assertThat(faults(with(field, json))).extracting(Fault::pointer).containsExactly("/" + field);
  }

  @Test
  void a_very_long_number_is_a_fault_and_no_failure() {
    assertThat(with("attempts", "9".repeat(100_000))).isInstanceOf(Body.Invalid.class);
  }

  @Test
  @Promise("A string of at most 255 characters.")
  void a_status_has_at_most_255_characters() {
    assertThat(with("status", "\"" + "😀".repeat(255) + "\"")).isInstanceOf(Body.Read.class);
    assertThat(with("status", "\"" + "a".repeat(256) + "\"")).isInstanceOf(Body.Invalid.class);
  }

  @Test
  @Promise("A string of at most 65,536 bytes in UTF-8")
  void a_response_has_at_most_64_kib_in_utf8() {
    assertThat(with("response", "\"" + "a".repeat(65_536) + "\"")).isInstanceOf(Body.Read.class);
    assertThat(with("response", "\"" + "a".repeat(65_537) + "\"")).isInstanceOf(Body.Invalid.class);
    assertThat(with("response", "\"" + "é".repeat(32_769) + "\"")).isInstanceOf(Body.Invalid.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}",
        "{\"source\":\"shopify\"}",
        "{\"topic\":\"orders/create\"}",
        "{\"source\":\"shopify\",\"topic\":\"orders/create\",\"anything\":\"\"}",
        "{\"brand_id\":\"\\ud800\"}",
      })
  @Promise("The list is open: a connector may add other keys.")
  void meta_may_be(String meta) {
    Body<EventRequest> body = with("payload", "{\"_meta\":" + meta + "}");

    assertThat(((Body.Read<EventRequest>) body).value().payload().sentMeta()).isPresent();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "null                    | /payload/_meta",
        "[]                      | /payload/_meta",
        "\"x\"                   | /payload/_meta",
        "{\"source\":\"github\"} | /payload/_meta/source",
        "{\"source\":\"Shopify\"}| /payload/_meta/source",
        "{\"source\":1}          | /payload/_meta/source",
        "{\"topic\":\"orders\"}  | /payload/_meta/topic",
        "{\"brand_id\":7}        | /payload/_meta/brand_id",
        "{\"x\":null}            | /payload/_meta/x",
        "{\"a/b~c\":{}}          | /payload/_meta/a~1b~0c",
      })
  @Promise({"`\"_meta\": null` gets 422.", "its `topic`, if present, must equal the topic."})
  void meta_may_not_be(String meta, String pointer) {
    assertThat(faults(with("payload", "{\"_meta\":" + meta + "}")))
        .extracting(Fault::pointer)
        .containsExactly(pointer);
  }

  @Test
  @Promise("lists **all** faults of the body, up to 100")
  void all_faults_are_reported_at_once() {
    String text =
        """
        {"event_type":"x","connector_installation_id":-1,"status":1,"response":1,"attempts":-1,
         "sent_at":1,"next_retry_at":1,"payload":{"_meta":{"a":1,"b":2}}}\
        """;

    assertThat(faults(EventRequest.read(text)))
        .extracting(Fault::pointer)
        .containsExactlyInAnyOrder(
            "/event_type",
            "/connector_installation_id",
            "/status",
            "/response",
            "/attempts",
            "/sent_at",
            "/next_retry_at",
            "/payload/_meta/a",
            "/payload/_meta/b");
  }

  /** Reads a valid request in which one field is replaced or added. */
  private static Body<EventRequest> with(String field, String json) {
    String type = field.equals("event_type") ? json : "\"shopify.orders/create\"";
    String payload = field.equals("payload") ? json : "{}";
    String other =
        field.equals("event_type") || field.equals("payload") ? "" : ",\"" + field + "\":" + json;
    return EventRequest.read("{\"event_type\":" + type + ",\"payload\":" + payload + other + "}");
  }

  private static List<Fault> faults(Body<EventRequest> body) {
    return ((Body.Invalid<EventRequest>) body).faults();
  }
}
