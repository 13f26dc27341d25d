package dev.connectorevents.bench.coldstart;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.connectorevents.http.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

/** DynamoDB and Secrets Manager, as far as a function's client sees them; answers at once. */
final class AwsStub implements AutoCloseable {

  private static final String DONE = "{}";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, String> answers;
  private final boolean isEncrypted;

  /**
   * @param answers by the operation, as `GetItem`; any other one is answered that it is done
   * @param tls what it identifies itself with; plain HTTP without it
   */
  AwsStub(Map<String, Map<String, ?>> answers, Optional<SSLContext> tls) throws IOException {
    this.answers = Map.copyOf(texts(answers));
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    isEncrypted = tls.isPresent();
    if (tls.isPresent()) {
      HttpsServer https = HttpsServer.create(anyPort, 0);
      https.setHttpsConfigurator(new HttpsConfigurator(tls.get()));
      server = https;
    } else {
      server = HttpServer.create(anyPort, 0);
    }
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  private static Map<String, String> texts(Map<String, Map<String, ?>> answers) {
    return answers.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, answer -> Json.write(answer.getValue())));
  }

  URI endpoint() {
    return URI.create(
        (isEncrypted ? "https" : "http") + "://localhost:" + server.getAddress().getPort());
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
      String operation = target == null ? "" : target.substring(target.lastIndexOf('.') + 1);
      byte[] body = answers.getOrDefault(operation, DONE).getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
