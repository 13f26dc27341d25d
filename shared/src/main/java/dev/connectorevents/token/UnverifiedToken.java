package dev.connectorevents.token;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.user.Email;
import java.io.IOException;
import java.io.StringReader;
import java.util.Base64;
import java.util.Optional;

/** A token of which nothing has been checked: anybody may have written it. */
record UnverifiedToken(String text) {

  private static final int PARTS = 3; // header, claims, signature (RFC 7515, 3.1)

  /** The address in its claims; empty if they have none, or cannot be read. */
  Optional<Email> email() {
    String[] parts = text.split("\\.", -1);
    if (parts.length != PARTS) {
      return Optional.empty();
    }
    try {
      String claims = new String(Base64.getUrlDecoder().decode(parts[1]), UTF_8);
      return TokenJson.read(new StringReader(claims)).get(Claims.EMAIL) instanceof String email
          ? Optional.of(new Email(email))
          : Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
