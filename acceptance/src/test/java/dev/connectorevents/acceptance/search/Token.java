package dev.connectorevents.acceptance.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Base64;

/**
 * A token that a worker holds.
 *
 * @param session when the login that began its session was sent and answered
 * @param received when this token was asked for and received
 * @param isStatic whether an operator made it
 * @param isForged whether somebody else than the service made it
 */
record Token(
    String text, Account account, Span session, Span received, boolean isStatic, boolean isForged) {

  private static final ObjectMapper JSON = new ObjectMapper();

  Instant expiresAt() {
    return Instant.ofEpochSecond(part(1).get("exp").longValue());
  }

  /** One that is signed with something else than the service's key. */
  Token forged() {
    String signed = text.substring(0, text.lastIndexOf('.') + 1);
    return new Token(signed + "A".repeat(43), account, session, received, isStatic, true);
  }

  /** Names the key that signed it. */
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
