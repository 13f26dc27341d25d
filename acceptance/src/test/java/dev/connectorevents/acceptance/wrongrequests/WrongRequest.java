package dev.connectorevents.acceptance.wrongrequests;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.stream.Stream;

/**
 * A mistake that authors of connectors and consumers make, and the answer that it gets.
 *
 * @param headers alternating names and values; if {@code Authorization} is not among them, the test
 *     adds a valid one on the routes for events
 * @param answer the status, the code, and then the pointer and the rule of each fault or, if the
 *     answer lists none, its detail; for an error of API Gateway, the status and the message
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record WrongRequest(
    String what, String route, List<String> headers, byte[] body, String answer) {

  static final String TOKEN = "Authorization";

  WrongRequest(String what, String route, byte[] body, String answer) {
    this(what, route, List.of(), body, answer);
  }

  WrongRequest(String what, String route, String body, String answer) {
    this(what, route, body.getBytes(UTF_8), answer);
  }

  WrongRequest with(String header, String value) {
    List<String> all = Stream.concat(headers.stream(), Stream.of(header, value)).toList();
    return new WrongRequest(what, route, all, body, answer);
  }

  @Override
  public String toString() {
    return what;
  }
}
