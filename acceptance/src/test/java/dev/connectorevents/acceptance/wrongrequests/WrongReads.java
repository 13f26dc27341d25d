package dev.connectorevents.acceptance.wrongrequests;

import java.util.stream.Stream;

/** Mistakes of consumers: in lists, cursors and ids. */
final class WrongReads {

  private static final String READ = "GET /api/webhook-events";
  private static final String INVALID = "422 validation_failed ";

  private WrongReads() {}

  static Stream<WrongRequest> all() {
    return Stream.of(
        list(
            "a page by its number",
            "?brand_id=b&page=2",
            INVALID
                + "Unknown parameter page. A list takes the parameters event_type, brand_id, share,"
                + " order, from, to, until, limit, include, cursor."),
        list(
            "bytes that are no UTF-8",
            "?brand_id=%FF",
            INVALID
                + "brand_id must be percent-encoded UTF-8: %C3%A9 for é, %20 for a space, %2B for a"
                + " plus."),
        list(
            "a plus in a time",
            "?brand_id=b&from=2026-11-20T12:00:00+01:00",
            INVALID
                + "from must be a date-time with an offset (RFC 3339), as in 2026-11-20T12:00:00Z;"
                + " write + as %2B."),
        list(
            "a plus in a list's event_type",
            "?event_type=app.a+",
            INVALID
                + "event_type must be patterns, percent-encoded and separated by commas; each is *,"
                + " <provider>.*, <provider>.<beginning of the topic>* or one event type, as in"
                + " shopify.orders/*; the provider in lower case; an event type must be able to match"
                + " it."),
        list(
            "a number for a cursor",
            "?brand_id=b&cursor=50",
            INVALID + "cursor must be the next of an earlier page of this brand_id, newest first."),
        list(
            "an id in capital letters",
            "/019AA1F0-2C3B-7D4E-8F50-A1B2C3D4E5F6",
            "404 not_found No event has this id: an id is in lower case."),
        list(
            "the provider's id",
            "/820982911946154508",
            "404 not_found No event has this id: an id is a UUID, the id in the answer that stored the event."));
  }

  private static WrongRequest list(String what, String query, String answer) {
    return new WrongRequest(what, READ + query, "", answer);
  }
}
