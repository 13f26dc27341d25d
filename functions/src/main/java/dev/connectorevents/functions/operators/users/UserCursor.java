package dev.connectorevents.functions.operators.users;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.event.Base64Url;
import dev.connectorevents.user.Email;
import java.util.Optional;

/**
 * Where the next page of users begins, as operators carry it: {@code next} in the answer and in the
 * next event.
 */
record UserCursor(Email after) {

  /** Parses a cursor; empty if it is none. */
  static Optional<UserCursor> parse(String text) {
    return Base64Url.parse(text)
        .flatMap(bytes -> Email.parse(new String(bytes, UTF_8)))
        .map(UserCursor::new)
        .filter(cursor -> cursor.text().equals(text));
  }

  String text() {
    return Base64Url.of(after.value().getBytes(UTF_8));
  }
}
