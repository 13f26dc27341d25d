package dev.connectorevents.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.event.Base64Url;
import dev.connectorevents.event.Sha256;
import java.util.Arrays;

/**
 * A strong entity tag (RFC 9110, 8.8.3).
 *
 * @param value with its quotes
 */
public record EntityTag(String value) {

  private static final int BYTES = 16;

  /**
   * The tag of an answer.
   *
   * @param parts all that the answer's bytes depend on
   */
  public static EntityTag of(String... parts) {
    byte[] hash = Sha256.of(String.join("\0", parts).getBytes(UTF_8));
    String text = Base64Url.of(Arrays.copyOf(hash, BYTES));
    return new EntityTag('"' + text + '"');
  }

  /** Whether the client has this answer already: {@code If-None-Match} (RFC 9110, 13.1.2). */
  public boolean isKnownTo(Request request) {
    return request.header("if-none-match").stream()
        .flatMap(header -> Arrays.stream(header.split(",", -1)))
        .map(String::strip)
        .anyMatch(tag -> tag.equals("*") || tag.equals(value) || tag.equals("W/" + value));
  }
}
