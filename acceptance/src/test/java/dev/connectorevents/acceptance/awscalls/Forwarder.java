package dev.connectorevents.acceptance.awscalls;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Forwards the SDK's requests to one AWS service, and the service's answers to the SDK. */
public final class Forwarder implements AutoCloseable {

  private static final Set<String> NOT_FORWARDED =
      Set.of("host", "connection", "content-length", "expect");

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI target;

  public Forwarder(URI target) {
    this.target = target;
  }

  HttpResponse<byte[]> forward(HttpExchange exchange) throws IOException {
    return forward(exchange, exchange.getRequestBody().readAllBytes());
  }

  /** Like {@link #forward(HttpExchange)}, for a body that was already read. */
  public HttpResponse<byte[]> forward(HttpExchange exchange, byte[] body) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target).POST(BodyPublishers.ofByteArray(body));
    exchange
        .getRequestHeaders()
        .forEach((String name, List<String> values) -> {
          if (isForwarded(name)) {
            values.forEach(value -> request.header(name, value));
          }
        });
    try {
      return client.send(request.build(), BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  public static void answer(HttpExchange exchange, HttpResponse<byte[]> answer) throws IOException {
    answer
        .headers()
        .map()
        .forEach((name, values) -> {
          if (isForwarded(name)) {
            exchange.getResponseHeaders().put(name, values);
          }
        });
    exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
    exchange.getResponseBody().write(answer.body());
    exchange.close();
  }

  private static boolean isForwarded(String header) {
    return !NOT_FORWARDED.contains(header.toLowerCase(Locale.ROOT));
  }

  @Override
  public void close() {
    client.close();
  }
}
