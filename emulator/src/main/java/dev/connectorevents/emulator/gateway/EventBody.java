package dev.connectorevents.emulator.gateway;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request's body in an event: text, or base64. */
record EventBody(String text, boolean base64) {

  private static final Set<String> TEXTS =
      Set.of("application/json", "application/xml", "application/javascript");

  /**
   * Text if the content type is one of texts and the body is UTF-8. AWS documents no list of types;
   * this one is what others observed.
   */
  static EventBody of(@Nullable String contentType, byte[] body) {
    if (contentType != null && isText(contentType)) {
      try {
        // Unlike new String(), a new decoder rejects malformed bytes.
        ByteBuffer bytes = ByteBuffer.wrap(body);
        return new EventBody(StandardCharsets.UTF_8.newDecoder().decode(bytes).toString(), false);
      } catch (CharacterCodingException e) {
        // The body is no text, despite its type.
      }
    }
    return new EventBody(Base64.getEncoder().encodeToString(body), true);
  }

  private static boolean isText(String contentType) {
    String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    return type.startsWith("text/") || TEXTS.contains(type);
  }
}
