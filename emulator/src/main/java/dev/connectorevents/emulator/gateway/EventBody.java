package dev.connectorevents.emulator.gateway;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request's body as it stands in an event: as text where that is possible, else in base64. */
record EventBody(String text, boolean base64) {
  private static final Set<String> TEXTS =
      Set.of("application/json", "application/xml", "application/javascript");

  /**
   * Decides by the content type. AWS documents no list; as others saw it there, only these are
   * text, while a missing type, `application/x-www-form-urlencoded` and all else mean base64.
   */
  static EventBody of(@Nullable String contentType, byte[] body) {
    return Optional.ofNullable(contentType)
        .filter(EventBody::isText)
        .flatMap(type -> utf8(body))
        .map(text -> new EventBody(text, false))
        .orElseGet(() -> new EventBody(Base64.getEncoder().encodeToString(body), true));
  }

  private static boolean isText(String contentType) {
    var type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    return type.startsWith("text/") || TEXTS.contains(type);
  }

  private static Optional<String> utf8(byte[] body) {
    try {
      // A new decoder reports what is malformed; new String() would put U+FFFD in its place.
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
