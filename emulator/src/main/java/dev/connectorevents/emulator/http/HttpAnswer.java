package dev.connectorevents.emulator.http;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An HTTP response. */
@SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
public record HttpAnswer(int status, List<Map.Entry<String, String>> headers, byte[] body) {
  public HttpAnswer {
    headers = List.copyOf(headers);
  }

  public static HttpAnswer json(int status, String body) {
    return new HttpAnswer(
        status,
        List.of(Map.entry("Content-Type", "application/json")),
        body.getBytes(StandardCharsets.UTF_8));
  }

  public HttpAnswer with(String header, String value) {
    List<Map.Entry<String, String>> more = new ArrayList<>(headers);
    more.add(Map.entry(header, value));
    return new HttpAnswer(status, more, body);
  }

  /**
   * Sends it.
   *
   * @throws IOException when the client has disconnected
   * @throws IllegalArgumentException when a header is not valid in HTTP
   */
  public void send(HttpExchange exchange) throws IOException {
    for (Map.Entry<String, String> header : headers) {
      exchange.getResponseHeaders().add(header.getKey(), header.getValue());
    }
    boolean hasBody =
        body.length > 0
            && status != 204
            && status != 304
            && !exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, hasBody ? body.length : -1);
    if (hasBody) {
      exchange.getResponseBody().write(body);
    }
  }
}
