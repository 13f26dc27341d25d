package dev.connectorevents.local;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between the SDK and DynamoDB, lets every write through, and hangs up instead of handing on
 * the answer to its first attempt.
 */
final class AnswerDroppingProxy implements AutoCloseable {

  private static final Set<String> NOT_FORWARDED =
      Set.of("host", "connection", "content-length", "expect");

  private final HttpClient client = HttpClient.newHttpClient();
  private final AtomicInteger dropped = new AtomicInteger();
  private final HttpServer server;
  private final URI target;

  AnswerDroppingProxy(URI target) throws IOException {
    this.target = target;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  int dropped() {
    return dropped.get();
  }

  private void handle(HttpExchange exchange) throws IOException {
    HttpResponse<byte[]> answer = forward(exchange);
    if (isFirstAttemptOfWrite(exchange)) {
      dropped.incrementAndGet();
      exchange.close();
      return;
    }
    answer
        .headers()
        .map()
        .forEach((name, values) -> {
          if (!NOT_FORWARDED.contains(name.toLowerCase(Locale.ROOT))) {
            exchange.getResponseHeaders().put(name, values);
          }
        });
    exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
    exchange.getResponseBody().write(answer.body());
    exchange.close();
  }

  private static boolean isFirstAttemptOfWrite(HttpExchange exchange) {
    String operation = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    String attempt = exchange.getRequestHeaders().getFirst("amz-sdk-request");
    return operation.matches(".*\\.(PutItem|TransactWriteItems)") && attempt.contains("attempt=1;");
  }

  private HttpResponse<byte[]> forward(HttpExchange exchange) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target)
            .POST(BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
    exchange
        .getRequestHeaders()
        .forEach((String name, List<String> values) -> {
          if (!NOT_FORWARDED.contains(name.toLowerCase(Locale.ROOT))) {
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

  @Override
  public void close() {
    server.stop(0);
    client.close();
  }
}
