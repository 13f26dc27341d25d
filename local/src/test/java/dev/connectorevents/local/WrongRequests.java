package dev.connectorevents.local;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** Mistakes that authors of connectors make, each with the message that is to mend it. */
final class WrongRequests {

  static final String EVENTS = "POST /api/webhook-events";
  private static final String LOGIN = "POST /api/auth/login";
  private static final String TYPE_RULE =
      "provider: lowercase letters, digits, - and _; then a dot; then the topic, as in"
          + " shopify.orders/create: letters, digits and . _ - : in parts separated by single"
          + " slashes; at most 255 characters";
  private static final String PAYLOAD_RULE =
      "an object; send it as JSON, not as a string that contains JSON";
  private static final String COUNT_RULE =
      "an integer from 0 to 2147483647, without quotes, fraction or exponent";
  private static final String TIME_RULE =
      "a date-time with an offset (RFC 3339), as in 2026-11-20T12:00:00Z or"
          + " 2026-11-20T13:00:00.5+01:00; no leap second, at most 9 digits of fraction";
  private static final String META_RULE = "an object whose values are strings; or leave it out";
  private static final String SYNTAX =
      ". Names and strings need double quotes; NaN, comments and a comma before } are not JSON.";
  private static final String ONE_OBJECT =
      "The body must be one JSON object, as in {\"event_type\": …, \"payload\": {…}}.";
  private static final String MEDIA_TYPE =
      "Content-Type must be application/json, and its charset UTF-8 if it has one.";
  static final String TOKEN = "Authorization";

  /**
   * @param headers names and values in turn; an {@code Authorization} is added if there is none
   * @param answer status, code, and then either the detail or a pointer and its rule
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Wrong(String what, String route, List<String> headers, byte[] body, String answer) {

    @Override
    public String toString() {
      return what;
    }
  }

  private WrongRequests() {}

  /**
   * All of them.
   *
   * @param token a good one
   */
  static Stream<Wrong> all(String token) throws IOException {
    String complete = "{\"event_type\":\"shopify.orders/create\",\"payload\":{}}";
    return Stream.of(
        type("capital letters in the provider", "Shopify.orders/create"),
        type("no topic", "shopify"),
        type("an empty topic", "shopify."),
        type("no provider", ".orders/create"),
        type("a space", "shopify.orders create"),
        type("a slash for the dot", "shopify/orders/create"),
        type("a slash at the end", "shopify.orders/"),
        type("two slashes", "shopify.orders//create"),
        type("an umlaut", "shopify.bestellung/für"),
        type("256 characters", "shopify." + "x".repeat(248)),
        type("nothing", ""),
        event(
            "a number for event_type",
            "{\"event_type\":1,\"payload\":{}}",
            "/event_type " + TYPE_RULE),
        event("no event_type", "{\"payload\":{}}", "/event_type required: " + TYPE_RULE),
        event(
            "null for event_type",
            "{\"event_type\":null,\"payload\":{}}",
            "/event_type required: " + TYPE_RULE),
        event(
            "eventType in camel case",
            "{\"eventType\":\"a.b\",\"payload\":{}}",
            "/event_type required: " + TYPE_RULE),
        event("no payload", "{\"event_type\":\"a.b\"}", "/payload required: " + PAYLOAD_RULE),
        member("payload", "\"{\\\"id\\\":1}\"", "/payload " + PAYLOAD_RULE),
        member("payload", "[{}]", "/payload " + PAYLOAD_RULE),
        event(
            "null for the payload",
            "{\"event_type\":\"a.b\",\"payload\":null}",
            "/payload required: " + PAYLOAD_RULE),
        member("payload", "{\"_meta\":\"x\"}", "/payload/_meta " + META_RULE),
        member("payload", "{\"_meta\":null}", "/payload/_meta " + META_RULE),
        member(
            "payload",
            "{\"_meta\":{\"brand_id\":7}}",
            "/payload/_meta/brand_id a string, as every value in _meta"),
        member(
            "payload",
            "{\"_meta\":{\"source\":\"stripe\"}}",
            "/payload/_meta/source the provider in event_type, which is the part before the first dot"),
        member(
            "payload",
            "{\"_meta\":{\"topic\":\"orders\"}}",
            "/payload/_meta/topic the topic in event_type, which is the part after the first dot"),
        member("attempts", "\"3\"", "/attempts " + COUNT_RULE),
        member("attempts", "-1", "/attempts " + COUNT_RULE),
        member("attempts", "1.0", "/attempts " + COUNT_RULE),
        member("attempts", "2147483648", "/attempts " + COUNT_RULE),
        member(
            "connector_installation_id",
            "\"abc\"",
            "/connector_installation_id an integer from 0 to 9223372036854775807, without quotes, fraction or exponent"),
        member("status", "200", "/status a string of at most 255 characters, well-formed Unicode"),
        member(
            "status",
            "\"" + "x".repeat(256) + "\"",
            "/status a string of at most 255 characters, well-formed Unicode"),
        member(
            "response",
            "{\"ok\":true}",
            "/response a string of at most 65536 bytes in UTF-8, well-formed Unicode; write an object as text"),
        member(
            "response",
            "\"" + "x".repeat(65_537) + "\"",
            "/response a string of at most 65536 bytes in UTF-8, well-formed Unicode; write an object as text"),
        member("sent_at", "\"2026-11-20\"", "/sent_at " + TIME_RULE),
        member("sent_at", "\"2026-11-20 12:00:00\"", "/sent_at " + TIME_RULE),
        member("sent_at", "\"2026-11-20T12:00:00\"", "/sent_at " + TIME_RULE),
        member("sent_at", "1795176000", "/sent_at " + TIME_RULE),
        member("next_retry_at", "\"tomorrow\"", "/next_retry_at " + TIME_RULE),
        body("an empty body", "", "400 malformed_json " + ONE_OBJECT),
        body("a list of events", "[" + complete + "]", "400 malformed_json " + ONE_OBJECT),
        body("JSON in a string", "\"{}\"", "400 malformed_json " + ONE_OBJECT),
        body(
            "a comma too many",
            "{\"event_type\":\"a.b\",}",
            "400 malformed_json The body is not valid JSON: line 1, column 21" + SYNTAX),
        body(
            "single quotes",
            "{'event_type':'a.b'}",
            "400 malformed_json The body is not valid JSON: line 1, column 2" + SYNTAX),
        body(
            "NaN",
            "{\"attempts\":NaN}",
            "400 malformed_json The body is not valid JSON: line 1, column 16" + SYNTAX),
        body(
            "two documents",
            complete + complete,
            "400 malformed_json The body must be one JSON object: something follows it."),
        body(
            "a member twice",
            "{\"status\":\"a\",\"status\":\"b\"}",
            "400 malformed_json The body has a member twice: line 1, column 15."),
        new Wrong(
            "Latin-1",
            EVENTS,
            List.of(),
            complete.replace("create", "cr\u00e9e").getBytes(ISO_8859_1),
            "400 malformed_json The body must be JSON text in UTF-8, and uncompressed."),
        new Wrong(
            "gzip",
            EVENTS,
            List.of("Content-Encoding", "gzip"),
            gzip(complete),
            "415 unsupported_media_type Content-Encoding must be absent or identity: send the body uncompressed."),
        new Wrong(
            "a form",
            EVENTS,
            List.of("Content-Type", "application/x-www-form-urlencoded"),
            bytes("event_type=a.b"),
            "415 unsupported_media_type " + MEDIA_TYPE),
        new Wrong(
            "another charset",
            EVENTS,
            List.of("Content-Type", "application/json; charset=iso-8859-1"),
            bytes(complete),
            "415 unsupported_media_type " + MEDIA_TYPE),
        new Wrong(
            "an empty key",
            EVENTS,
            List.of("Idempotency-Key", ""),
            bytes(complete),
            "422 validation_failed Idempotency-Key must be 1 to 255 printable ASCII characters."),
        new Wrong(
            "a long key",
            EVENTS,
            List.of("Idempotency-Key", "k".repeat(256)),
            bytes(complete),
            "422 validation_failed Idempotency-Key must be 1 to 255 printable ASCII characters."),
        new Wrong(
            "Basic for Bearer",
            EVENTS,
            List.of(TOKEN, "Basic " + token),
            bytes(complete),
            "401 missing_token Send Authorization: Bearer <token>."),
        new Wrong(
            "the token alone",
            EVENTS,
            List.of(TOKEN, token),
            bytes(complete),
            "401 missing_token Send Authorization: Bearer <token>."),
        new Wrong(
            "a cut token",
            EVENTS,
            List.of(TOKEN, "Bearer " + token.substring(0, 40)),
            bytes(complete),
            "401 invalid_token The token is incomplete, changed or not from this service. Send access_token as it was received, or log in again."),
        new Wrong(
            "username for email",
            LOGIN,
            List.of(),
            bytes("{\"username\":\"a@b.example\",\"password\":\"x\"}"),
            "422 validation_failed /email required: an e-mail address, as in shop@example.com, of at most 254 characters"),
        new Wrong(
            "no password",
            LOGIN,
            List.of(),
            bytes("{\"email\":\"a@b.example\"}"),
            "422 validation_failed /password required: a string"));
  }

  private static Wrong type(String what, String type) {
    return event(
        "event_type: " + what,
        "{\"event_type\":\"" + type + "\",\"payload\":{}}",
        "/event_type " + TYPE_RULE);
  }

  /** An event that is right but for one member, in place of the right one if it is required. */
  private static Wrong member(String name, String value, String fault) {
    String right = name.equals("payload") ? "" : ",\"payload\":{}";
    String shown = value.length() > 40 ? value.length() + " characters" : value;
    return event(
        name + ": " + shown,
        "{\"event_type\":\"shopify.orders/create\"" + right + ",\"" + name + "\":" + value + "}",
        fault);
  }

  private static Wrong event(String what, String body, String fault) {
    return body(what, body, "422 validation_failed " + fault);
  }

  private static Wrong body(String what, String body, String answer) {
    return new Wrong(what, EVENTS, List.of(), bytes(body), answer);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(bytes(text));
    }
    return bytes.toByteArray();
  }
}
