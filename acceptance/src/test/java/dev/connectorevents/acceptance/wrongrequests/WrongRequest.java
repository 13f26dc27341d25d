package dev.connectorevents.acceptance.wrongrequests;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A mistake that authors of connectors and consumers make, and the answer that tells how to fix it.
 *
 * @param headers names and values in turn; without {@code Authorization}, the test adds a valid one
 *     for routes of events
 * @param answer status, code, and then either the detail or each pointer with its rule
 * @param mending words that the answer must have, in any case of letters, so that the sender can
 *     fix the request from the answer alone; empty if the mistake is not a typical one
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
