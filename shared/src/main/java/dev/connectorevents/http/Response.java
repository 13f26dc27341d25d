package dev.connectorevents.http;

import java.util.HashMap;
import java.util.Map;

/**
 * An HTTP response with a JSON body.
 *
 * @param notes for the log, by name; not sent
 */
public record Response(
    int status, Map<String, String> headers, String body, Map<String, String> notes) {

  public Response {
    headers = Map.copyOf(headers);
    notes = Map.copyOf(notes);
  }

  public static Response json(int status, Map<String, ?> body) {
    return new Response(
        status, Map.of("Content-Type", "application/json"), Json.write(body), Map.of());
  }

  /** Adds a header. */
  public Response with(String header, String value) {
    Map<String, String> more = new HashMap<>(headers);
    more.put(header, value);
    return new Response(status, more, body, notes);
  }

  /** Adds a note for the log: never a secret or request data. */
  public Response noting(String name, String value) {
    Map<String, String> more = new HashMap<>(notes);
    more.put(name, value);
    return new Response(status, headers, body, more);
  }
}
