package dev.connectorevents.acceptance.storm;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request to the service and its outcome, as the client saw it.
 *
 * @param rest the part of the URL after the route's path
 * @param token the token of the request; a login has none
 * @param events the events that the request sends or reads
 * @param status the status of the answer; 0 if there was no answer
 * @param headers the headers of the answer, by lower-case name
 * @param body the body of the answer; empty if there was no answer
 */
record ClientCall(
    Route route,
    String rest,
    Optional<Token> token,
    Account account,
    List<Event> events,
    Span span,
    int status,
    Map<String, String> headers,
    String body) {

  enum Route {
    LOGIN("POST", "/api/auth/login"),
    EVENT("POST", "/api/webhook-events"),
    BATCH("POST", "/api/webhook-events/batch"),
    READ("GET", "/api/webhook-events/"),
    LIST("GET", "/api/webhook-events?");

    final String method;
    final String path;

    Route(String method, String path) {
      this.method = method;
      this.path = path;
    }
  }

  ClientCall {
    events = List.copyOf(events);
    headers = Map.copyOf(headers);
  }

  boolean isOk() {
    return status >= 200 && status < 300;
  }

  /** Whether the outcome is unknown: the request may or may not have taken effect. */
  boolean isUnknown() {
    return status == 0 || status >= 500;
  }

  /**
   * Whether both calls have the same account, or an event of one has the same {@link Event#slot} as
   * an event of the other.
   */
  boolean isRelatedTo(ClientCall other) {
    return account.equals(other.account)
        || events.stream().anyMatch(event -> other.events.stream().anyMatch(event::hasSameSlot));
  }

  /** The id of the event that this call reads. The route must be {@link Route#READ}. */
  String readId() {
    return rest.split("/", 2)[0];
  }

  /** A short description of the call, with at most 200 characters of the answer's body. */
  String summary() {
    return "%s to %s %s %s as %s, events %s: %d %s"
        .formatted(
            span.startedAt(),
            span.endedAt(),
            route,
            rest,
            account.email(),
            events.stream().map(event -> event.number() + event.key().orElse("")).toList(),
            status,
            body.substring(0, Math.min(body.length(), 200)));
  }
}
