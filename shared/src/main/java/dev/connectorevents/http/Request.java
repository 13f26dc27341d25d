package dev.connectorevents.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.Unicode;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An HTTP request as API Gateway hands it over (payload format 2.0).
 *
 * @param id API Gateway's own id of the request
 * @param route API Gateway's key of the route, such as {@code GET /api/auth/me}
 * @param sourceIp the address that the TCP connection came from
 * @param headers by lower-cased name; several values of one name are joined by commas
 * @param pathParameters decoded, by the names in the route's path
 * @param rawQuery as it was sent, without the question mark
 * @param body as text, or in base64; empty if there is none
 */
public record Request(
    String id,
    String route,
    String sourceIp,
    Map<String, String> headers,
    Map<String, String> pathParameters,
    String rawQuery,
    String body,
    boolean bodyIsBase64) {

  public Request {
    headers = Map.copyOf(headers);
    pathParameters = Map.copyOf(pathParameters);
  }

  /** A request without parameters. */
  public Request(
      String id, String sourceIp, Map<String, String> headers, String body, boolean bodyIsBase64) {
    this(id, "", sourceIp, headers, Map.of(), "", body, bodyIsBase64);
  }

  public Optional<String> header(String lowerCasedName) {
    return Optional.ofNullable(headers.get(lowerCasedName));
  }

  /**
   * The decoded query: the values of each name, in their order; empty if it is not percent-encoded
   * UTF-8. A plus is a space. API Gateway decodes the query too, but joins the values of a name by
   * commas, and does not document what a plus becomes, nor bytes that are no UTF-8.
   */
  public Optional<Map<String, List<String>>> query() {
    Map<String, List<String>> query = new TreeMap<>();
    try {
      for (String parameter : rawQuery.isEmpty() ? new String[0] : rawQuery.split("&", -1)) {
        String[] parts = parameter.split("=", 2);
        query
            .computeIfAbsent(decoded(parts[0]), name -> new ArrayList<>())
            .add(parts.length == 1 ? "" : decoded(parts[1]));
      }
      return Optional.of(query);
    } catch (CharacterCodingException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The first parameter whose value is not percent-encoded UTF-8, if its name is. */
  public Optional<String> undecodable() {
    for (String parameter : rawQuery.split("&", -1)) {
      String[] parts = parameter.split("=", 2);
      if (decodes(parts[0]) && !decodes(parts[parts.length - 1])) {
        return Optional.of(URLDecoder.decode(parts[0], UTF_8));
      }
    }
    return Optional.empty();
  }

  private static boolean decodes(String sent) {
    try {
      decoded(sent);
      return true;
    } catch (CharacterCodingException | IllegalArgumentException e) {
      return false;
    }
  }

  private static String decoded(String sent) throws CharacterCodingException {
    // First to bytes, one in each character: as UTF-8, URLDecoder would replace malformed bytes.
    CharBuffer bytes = CharBuffer.wrap(URLDecoder.decode(sent, ISO_8859_1));
    return UTF_8.newDecoder().decode(ISO_8859_1.newEncoder().encode(bytes)).toString();
  }

  /** The body's length as it was sent, in bytes. */
  public int bodySize() {
    int padding = body.endsWith("==") ? 2 : body.endsWith("=") ? 1 : 0;
    return bodyIsBase64 ? body.length() / 4 * 3 - padding : body.getBytes(UTF_8).length;
  }

  /** The decoded body; empty if it is not well-formed UTF-8. Nothing is replaced. */
  public Optional<String> text() {
    if (!bodyIsBase64) {
      return Unicode.isWellFormed(body) ? Optional.of(body) : Optional.empty();
    }
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(body));
      return Optional.of(UTF_8.newDecoder().decode(bytes).toString());
    } catch (CharacterCodingException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
