package dev.connectorevents.acceptance.wrongrequests;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A mistake that authors of connectors and consumers make, and the answer that it gets.
 *
 * @param headers alternating names and values; if {@code Authorization} is not among them, the test
 *     adds a valid one on the routes for events
 * @param answer the status, the code, and then the pointer and the rule of each fault or, if the
 *     answer lists none, its detail; for an error of API Gateway, the status and the message
 * @param mending texts that the answer needs, in upper or lower case, so that the sender can fix
 *     the request from the answer alone; empty if the mistake is not typical
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record WrongRequest(
    String what,
    String route,
    List<String> headers,
    byte[] body,
    String answer,
    List<String> mending) {

  static final String TOKEN = "Authorization";

  WrongRequest(String what, String route, byte[] body, String answer) {
    this(what, route, List.of(), body, answer, List.of());
  }

  WrongRequest(String what, String route, String body, String answer) {
    this(what, route, body.getBytes(UTF_8), answer);
  }

  WrongRequest with(String header, String value) {
    List<String> all = Stream.concat(headers.stream(), Stream.of(header, value)).toList();
    return new WrongRequest(what, route, all, body, answer, mending);
  }

  WrongRequest mendedBy(String... words) {
    return new WrongRequest(what, route, headers, body, answer, List.of(words));
  }

  boolean isTypical() {
    return !mending.isEmpty();
  }

  boolean isMendable() {
    String said = answer.toLowerCase(Locale.ROOT);
    return mending.stream().allMatch(words -> said.contains(words.toLowerCase(Locale.ROOT)));
  }

  @Override
  public String toString() {
    return what;
  }
}
