package dev.connectorevents.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.Gzip;
import dev.connectorevents.Json;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An HTTP response.
 *
 * @param body as text, or in base64
 * @param notes for the request's line in the log, by name; not sent
 * @param furtherLines in the log, each of a part of the request; not sent. A metric filter of the
 *     template that counts requests must not match them: it would count the request again
 */
public record Response(
    int status,
    Map<String, String> headers,
    String body,
    boolean bodyIsBase64,
    Map<String, Object> notes,
    List<Map<String, Object>> furtherLines) {

  public Response {
    headers = Map.copyOf(headers);
    notes = Map.copyOf(notes);
    furtherLines = List.copyOf(furtherLines);
  }

  private Response(int status, Map<String, String> headers, String body) {
    this(status, headers, body, false, Map.of(), List.of());
  }

  public static Response json(int status, Map<String, ?> body) {
    return json(status, Json.write(body));
  }

  /** An answer with JSON text. */
  public static Response json(int status, String body) {
    return new Response(status, Map.of("Content-Type", "application/json"), body);
  }

  public static Response withoutBody(int status) {
    return new Response(status, Map.of(), "");
  }

  /** The same with a compressed body. */
  public Response gzipped() {
    byte[] gzip = Gzip.compress(body.getBytes(UTF_8));
    String base64 = Base64.getEncoder().encodeToString(gzip);
    return new Response(status, headers, base64, true, notes, furtherLines)
        .with("Content-Encoding", "gzip");
  }

  /** Adds a header. */
  public Response with(String header, String value) {
    Map<String, String> more = new HashMap<>(headers);
    more.put(header, value);
    return new Response(status, more, body, bodyIsBase64, notes, furtherLines);
  }

  /**
   * Adds a note for the log: never a secret. Of a request's data, only what names an event, or what
   * a list is asked for.
   *
   * @param value a text or a number
   */
  public Response noting(String name, Object value) {
    return noting(Map.of(name, value));
  }

  /** Adds notes by name. */
  public Response noting(Map<String, ?> others) {
    Map<String, Object> more = new HashMap<>(notes);
    more.putAll(others);
    return new Response(status, headers, body, bodyIsBase64, more, furtherLines);
  }

  /** Adds further lines to the log, as notes are. */
  public Response logging(List<Map<String, Object>> lines) {
    return new Response(status, headers, body, bodyIsBase64, notes, lines);
  }
}
