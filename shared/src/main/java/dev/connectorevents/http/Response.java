package dev.connectorevents.http;

import java.util.HashMap;
import java.util.Map;

/** An HTTP response with a JSON body. */
public record Response(int status, Map<String, String> headers, String body) {

  public Response {
    headers = Map.copyOf(headers);
  }

  public static Response json(int status, Map<String, ?> body) {
    return new Response(status, Map.of("Content-Type", "application/json"), Json.write(body));
  }

  /** This response with one header more. */
  public Response with(String header, String value) {
    Map<String, String> more = new HashMap<>(headers);
    more.put(header, value);
    return new Response(status, more, body);
  }
}
