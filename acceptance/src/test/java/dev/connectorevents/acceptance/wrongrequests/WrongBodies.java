package dev.connectorevents.acceptance.wrongrequests;

import static dev.connectorevents.acceptance.wrongrequests.WrongRequests.COMPLETE;
import static dev.connectorevents.acceptance.wrongrequests.WrongRequests.EVENTS;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.Gzip;
import java.util.stream.Stream;

/** Mistakes in content types, encodings and JSON. */
final class WrongBodies {

  static final String MEDIA_TYPE =
      "Content-Type must be application/json, and its charset UTF-8 if it has one.";
  private static final String MALFORMED = "400 malformed_json ";
  private static final String SYNTAX =
      ". Names and strings need double quotes; true, false and null are in lower case; NaN,"
          + " comments and a comma before } are not JSON.";
  private static final String ONE_OBJECT =
      "must be one JSON object, as in {\"event_type\": …, \"payload\": {…}}";
  private static final String NOT_UTF_8 =
      MALFORMED + "The body must be JSON text in UTF-8, and uncompressed.";

  private WrongBodies() {}

  static Stream<WrongRequest> all() {
    return Stream.concat(encodings(), json());
  }

  private static Stream<WrongRequest> encodings() {
    return Stream.of(
        media("JSON as text", COMPLETE, "text/plain;charset=UTF-8"),
        new WrongRequest(
                "gzip",
                EVENTS,
                gzip(COMPLETE),
                "415 unsupported_media_type Content-Encoding must be absent or identity: send the"
                    + " body uncompressed.")
            .with("Content-Encoding", "gzip"),
        new WrongRequest("gzip without a header", EVENTS, gzip(COMPLETE), NOT_UTF_8),
        new WrongRequest(
            "Latin-1",
            EVENTS,
            COMPLETE.replace("create", "cr\u00e9e").getBytes(ISO_8859_1),
            NOT_UTF_8),
        json(
            "a byte order mark",
            "\ufeff" + COMPLETE,
            "The body begins with a byte order mark (U+FEFF): send UTF-8 without one."));
  }

  private static Stream<WrongRequest> json() {
    String inNextLine = COMPLETE.replace("{}", "{\"note\":\"two\nlines\"}");
    String path = COMPLETE.replace("{}", "{\"file\":\"C:\\Users\\a\"}");
    return Stream.of(
        new WrongRequest(
            "a batch to the route of one event",
            EVENTS,
            "{\"events\":[" + COMPLETE + "]}",
            "422 validation_failed /events belongs in POST /api/webhook-events/batch; here the body"
                + " is one event; /event_type required: "
                + WrongEvents.TYPE_RULE
                + "; /payload required: "
                + WrongEvents.PAYLOAD_RULE),
        json(
            "a list of events",
            "[" + COMPLETE + "]",
            "The body "
                + ONE_OBJECT
                + "; several events go to POST /api/webhook-events/batch, as in {\"events\": [{…}]}."),
        json(
            "JSON in a string",
            "\"{}\"",
            "The body is a JSON string. It " + ONE_OBJECT + ": encode it as JSON once, not twice."),
        json(
            "a body that was cut off",
            COMPLETE.substring(0, 40),
            "The body ends before its JSON does: line 1, column 41. It was cut off, or a brace is missing. Content-Length counts bytes, not characters."),
        json(
            "a line break in a string",
            inNextLine,
            "The body has a control character in a string: line 1, column 61. Write a line break as \\n, a tab as \\t, and others as \\u with four hex digits."),
        json(
            "a backslash in a string",
            path,
            "The body has a backslash that escapes nothing: line 1, column 61. Write two backslashes for one."),
        json("a comma too many", "{\"event_type\":\"a.b\",}", notJson("line 1, column 21")));
  }

  private static WrongRequest media(String what, String body, String type) {
    return new WrongRequest(what, EVENTS, body, "415 unsupported_media_type " + MEDIA_TYPE)
        .with("Content-Type", type);
  }

  private static WrongRequest json(String what, String body, String detail) {
    return new WrongRequest(what, EVENTS, body, MALFORMED + detail);
  }

  static String notJson(String place) {
    return "The body is not valid JSON: " + place + SYNTAX;
  }

  private static byte[] gzip(String text) {
    return Gzip.compress(text.getBytes(UTF_8));
  }
}
