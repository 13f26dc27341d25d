package dev.connectorevents.acceptance.wrongrequests;

import static dev.connectorevents.acceptance.wrongrequests.WrongRequests.COMPLETE;
import static dev.connectorevents.acceptance.wrongrequests.WrongRequests.EVENTS;

import java.util.stream.Stream;

/** Mistakes in events, in the header {@code Idempotency-Key}, and in batches. */
public final class WrongEvents {

  private static final String INVALID = "422 validation_failed ";
  private static final String KEY = "Idempotency-Key";
  private static final String BATCH = EVENTS + "/batch";
  static final String TYPE_RULE =
      "provider: lowercase letters, digits, - and _; then a dot; then the topic, as in"
          + " shopify.orders/create: printable ASCII without * , \" \\ in parts separated by single"
          + " slashes, a space only inside a part; percent-encode other characters, as in %C3%A9; at"
          + " most 255 characters";
  static final String PAYLOAD_RULE =
      "an object; send it as JSON, not as a string that contains JSON";
  private static final String ARRAY_RULE =
      "an object, not an array: wrap it, as in {\"items\": [...]}, or send one event for each element";
  private static final String COUNT_RULE =
      "an integer from 0 to 2147483647, without quotes, fraction or exponent";
  private static final String TIME_RULE =
      "a date-time with an offset (RFC 3339), as in 2026-11-20T12:00:00Z or"
          + " 2026-11-20T13:00:00.5+01:00; no leap second, at most 9 digits of fraction";
  private static final String META_RULE = "an object whose values are strings; or leave it out";
  private static final String STATUS_RULE =
      "a string of at most 255 characters, well-formed Unicode";
  private static final String RESPONSE_RULE =
      "a string of at most 65536 bytes in UTF-8, well-formed Unicode; write an object as text";
  private static final String KEY_RULE =
      KEY + " must be 1 to 255 printable ASCII characters, without a space at either end.";

  private WrongEvents() {}

  public static Stream<WrongRequest> all() {
    return Stream.of(types(), payloads(), members(), keys(), batches()).flatMap(rows -> rows);
  }

  private static Stream<WrongRequest> types() {
    return Stream.of(
        event(
            "event_type: capital letters in the provider",
            typed("\"Shopify.orders/create\""),
            "/event_type " + TYPE_RULE),
        event(
            "a number for event_type",
            typed("1"),
            "/event_type a string: <provider>.<topic> in double quotes, as in \"shopify.orders/create\""),
        event(
            "eventType in camel case",
            "{\"eventType\":\"a.b\",\"payload\":{}}",
            "/event_type required: " + TYPE_RULE));
  }

  private static Stream<WrongRequest> payloads() {
    return Stream.of(
        event(
            "data for payload",
            "{\"event_type\":\"a.b\",\"data\":{}}",
            "/payload required: " + PAYLOAD_RULE),
        member("payload", "\"{\\\"id\\\":1}\"", "/payload " + PAYLOAD_RULE),
        member("payload", "[{}]", "/payload " + ARRAY_RULE),
        member("payload", "{\"_meta\":\"x\"}", "/payload/_meta " + META_RULE),
        member(
            "payload",
            "{\"_meta\":{\"brand_id\":7}}",
            "/payload/_meta/brand_id a string, as every value in _meta"),
        member(
            "payload",
            "{\"_meta\":{\"source\":\"stripe\"}}",
            "/payload/_meta/source the provider in event_type, which is the part before the"
                + " first dot"),
        member(
            "payload",
            "{\"_meta\":{\"topic\":\"orders\"}}",
            "/payload/_meta/topic the topic in event_type, which is the part after the first dot"),
        beside("_meta", "{\"brand_id\":\"b\"}", INVALID + "/_meta belongs in payload"),
        beside("brand_id", "\"b\"", INVALID + "/brand_id belongs in the _meta of payload"));
  }

  private static Stream<WrongRequest> members() {
    return Stream.of(
        member("attempts", "\"3\"", "/attempts " + COUNT_RULE),
        member(
            "connector_installation_id",
            "\"abc\"",
            "/connector_installation_id an integer from 0 to 9223372036854775807, without quotes,"
                + " fraction or exponent"),
        member("status", "200", "/status " + STATUS_RULE),
        member("response", "{\"ok\":true}", "/response " + RESPONSE_RULE),
        member("sent_at", "\"2026-11-20T12:00:00\"", "/sent_at " + TIME_RULE));
  }

  private static Stream<WrongRequest> keys() {
    return Stream.of(
        new WrongRequest("an empty key", EVENTS, COMPLETE, INVALID + KEY_RULE).with(KEY, ""),
        beside(
            "idempotencyKey",
            "\"k-1\"",
            INVALID
                + "/idempotencyKey belongs in idempotency_key, or in the header Idempotency-Key of a single event"),
        beside(
                "idempotency_key",
                "\"k-2\"",
                INVALID
                    + "/idempotency_key the same as the header Idempotency-Key; or send only one of the two")
            .with(KEY, "k-3"));
  }

  private static Stream<WrongRequest> batches() {
    return Stream.of(
        new WrongRequest(
            "a list as a batch",
            BATCH,
            "[" + COMPLETE + "]",
            "400 malformed_json The body must be one JSON object, as in {\"events\": [{…}]}."),
        new WrongRequest(
            "a key beside the events",
            BATCH,
            "{\"idempotency_key\":\"k-4\",\"events\":[" + COMPLETE + "]}",
            INVALID + "/idempotency_key belongs in each event, as its own idempotency_key"));
  }

  private static String typed(String type) {
    return "{\"event_type\":" + type + ",\"payload\":{}}";
  }

  /** An event with one wrong member, which may be the {@code payload}. */
  private static WrongRequest member(String name, String value, String fault) {
    String right = name.equals("payload") ? "" : ",\"payload\":{}";
    return event(
        name + ": " + value,
        "{\"event_type\":\"shopify.orders/create\"" + right + ",\"" + name + "\":" + value + "}",
        fault);
  }

  /** A complete event with one additional member. */
  private static WrongRequest beside(String name, String value, String answer) {
    String member = "{\"" + name + "\":" + value + ",";
    return new WrongRequest(
        name + " beside the payload", EVENTS, COMPLETE.replaceFirst("\\{", member), answer);
  }

  private static WrongRequest event(String what, String body, String fault) {
    return new WrongRequest(what, EVENTS, body, INVALID + fault);
  }
}
