package dev.connectorevents.acceptance.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Base64;

/**
 * A token that a worker got or forged.
 *
 * @param session span of the login that began the token's session; for a static token, span of the
 *     call that issued it
 * @param received span of the call that returned the token
 * @param isStatic whether an operator issued the token
 * @param isForged whether a worker replaced the token's signature by a wrong one
 */
record Token(
    String text, Account account, Span session, Span received, boolean isStatic, boolean isForged) {

  private static final ObjectMapper JSON = new ObjectMapper();

  Instant expiresAt() {
    return Instant.ofEpochSecond(part(1).get("exp").longValue());
  }

  /** This token with a wrong signature. */
  Token forged() {
    String signed = text.substring(0, text.lastIndexOf('.') + 1);
    return new Token(signed + "A".repeat(43), account, session, received, isStatic, true);
  }

  /** The id of the key that signed the token. */
  String kid() {
    return part(0).get("kid").textValue();
  }

  private JsonNode part(int index) {
    try {
      return JSON.readTree(Base64.getUrlDecoder().decode(text.split("\\.", -1)[index]));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
