package dev.connectorevents.http;

import java.util.HashMap;
import java.util.Map;

/**
 * An HTTP response with a JSON body.
 *
 * @param notes what the log is to say of it, by name; it is not sent
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

  /** This response with one header more. */
  public Response with(String header, String value) {
    Map<String, String> more = new HashMap<>(headers);
    more.put(header, value);
    return new Response(status, more, body, notes);
  }

  /** This response with one note more for the log: never a secret, nor what a client sent. */
  public Response noting(String name, String value) {
    Map<String, String> more = new HashMap<>(notes);
    more.put(name, value);
    return new Response(status, headers, body, more);
  }
}
