package dev.connectorevents.acceptance.wrongrequests;

import java.util.stream.Stream;

/**
 * Mistakes that authors of connectors and consumers make, each with its whole answer. The rules
 * have their tables in {@code shared}; here, each has one row whose text no table has whole.
 */
final class WrongRequests {

  static final String EVENTS = "POST /api/webhook-events";
  static final String COMPLETE = "{\"event_type\":\"shopify.orders/create\",\"payload\":{}}";

  private WrongRequests() {}

  /** All mistakes. The parameters are tokens; the consumer's is static. */
  static Stream<WrongRequest> all(String connector, String consumer) {
    return Stream.of(
            WrongCredentials.all(connector, consumer),
            WrongBodies.all(),
            WrongEvents.all(),
            lists(),
            ofTheGateway())
        .flatMap(mistakes -> mistakes);
  }

  private static Stream<WrongRequest> lists() {
    return Stream.of(
        list(
            "a plus in a time",
            "?brand_id=b&from=2026-11-20T12:00:00+01:00",
            "from must be a date-time with an offset (RFC 3339), as in 2026-11-20T12:00:00Z; write +"
                + " as %2B."),
        list(
            "a plus in a list's event_type",
            "?event_type=app.a+",
            "event_type must be patterns, percent-encoded and separated by commas; each is *,"
                + " <provider>.*, <provider>.<beginning of the topic>* or one event type, as in"
                + " shopify.orders/*; the provider in lower case; an event type must be able to match"
                + " it."),
        list(
            "a number for a cursor",
            "?brand_id=b&cursor=50",
            "cursor must be the next of an earlier page of this brand_id, newest first."));
  }

  private static WrongRequest list(String what, String query, String detail) {
    return new WrongRequest(
        what, "GET /api/webhook-events" + query, "", "422 validation_failed " + detail);
  }

  /** Mistakes that API Gateway answers itself. The service cannot improve these answers. */
  static Stream<WrongRequest> ofTheGateway() {
    return Stream.of(
        new WrongRequest("a slash after the path", EVENTS + "/", COMPLETE, "404 Not Found"),
        new WrongRequest("a path without /api", "POST /webhook-events", COMPLETE, "404 Not Found"),
        new WrongRequest(
            "a method without a route", "PUT /api/webhook-events", COMPLETE, "404 Not Found"),
        new WrongRequest(
            "eleven megabytes", EVENTS, new byte[11_000_000], "413 Request Entity Too Large"));
  }
}
