package dev.connectorevents.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.Gzip;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/**
 * An HTTP response.
 *
 * @param body as text, or in base64
 * @param notes for the log, by name; not sent
 */
public record Response(
    int status,
    Map<String, String> headers,
    String body,
    boolean bodyIsBase64,
    Map<String, Object> notes) {

  public Response {
    headers = Map.copyOf(headers);
    notes = Map.copyOf(notes);
  }

  public static Response json(int status, Map<String, ?> body) {
    return json(status, Json.write(body));
  }

  /** An answer with JSON text. */
  public static Response json(int status, String body) {
    return new Response(status, Map.of("Content-Type", "application/json"), body, false, Map.of());
  }

  public static Response withoutBody(int status) {
    return new Response(status, Map.of(), "", false, Map.of());
  }

  /** The same with a compressed body. */
  public Response gzipped() {
    byte[] gzip = Gzip.compress(body.getBytes(UTF_8));
    return new Response(status, headers, Base64.getEncoder().encodeToString(gzip), true, notes)
        .with("Content-Encoding", "gzip");
  }

  /** Adds a header. */
  public Response with(String header, String value) {
    Map<String, String> more = new HashMap<>(headers);
    more.put(header, value);
    return new Response(status, more, body, bodyIsBase64, notes);
  }

  /**
   * Adds a note for the log: never a secret or request data.
   *
   * @param value a text or a number
   */
  public Response noting(String name, Object value) {
    Map<String, Object> more = new HashMap<>(notes);
    more.put(name, value);
    return new Response(status, headers, body, bodyIsBase64, more);
  }
}
