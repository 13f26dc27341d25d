package dev.connectorevents.functions.manageusers;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.user.Email;
import java.util.Base64;
import java.util.Optional;

/**
 * Where the next page of users begins, as operators carry it: {@code next} in the answer and in the
 * next event.
 */
record UserCursor(Email after) {

  /** Parses a cursor; empty if it is none. */
  static Optional<UserCursor> parse(String text) {
    try {
      return Email.parse(new String(Base64.getUrlDecoder().decode(text), UTF_8))
          .map(UserCursor::new)
          .filter(cursor -> cursor.text().equals(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // not base64
    }
  }

  /** The cursor in base64url (RFC 4648, 5). */
  String text() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(after.value().getBytes(UTF_8));
  }
}
