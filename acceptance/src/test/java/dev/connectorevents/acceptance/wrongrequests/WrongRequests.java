package dev.connectorevents.acceptance.wrongrequests;

import java.util.stream.Stream;

/**
 * Mistakes that authors of connectors and consumers make, each with its whole answer. The rules
 * have their tables in {@code shared}; here, each has one row.
 */
final class WrongRequests {

  static final String EVENTS = "POST /api/webhook-events";
  static final String COMPLETE = "{\"event_type\":\"shopify.orders/create\",\"payload\":{}}";

  /** {@link #COMPLETE} is stored under this key. */
  static final String USED_KEY = "a-used-key";

  private WrongRequests() {}

  /**
   * Returns all mistakes.
   *
   * @param connector the token of a connector
   * @param consumer the static token of a consumer
   */
  static Stream<WrongRequest> all(String connector, String consumer) {
    return Stream.of(
            WrongCredentials.all(connector, consumer),
            WrongBodies.all(),
            WrongEvents.all(),
            WrongReads.all(),
            ofTheGateway())
        .flatMap(mistakes -> mistakes);
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
