package dev.connectorevents.acceptance.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.LoopbackServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy between connectors and the service. It counts requests, reduces {@code expires_in}, and
 * loses some answers. Sometimes it answers itself, as API Gateway does when it throttles or finds
 * no instance.
 */
final class UnreliableGateway implements AutoCloseable {

  static final String LOGIN = "/api/auth/login";
  static final String REFRESH = "/api/auth/refresh";

  /** The path of single events, and the beginning of the paths of batches and missing keys. */
  static final String EVENTS = "/api/webhook-events";

  /** What goes wrong with a request. */
  private enum Fault {
    NONE,

    /** API Gateway refuses the request, because too many arrive in a second. */
    THROTTLED,

    /** API Gateway finds no instance for the request. */
    NO_INSTANCE,

    /** The service gets the request, but the connection closes before the answer. */
    LOST_ANSWER;

    /**
     * Of each 50 requests for a path of events, the 10th, 20th and 30th have a fault. So a test
     * with many deliveries meets each fault, and most events need no retry. Requests for other
     * paths have no fault.
     *
     * @param number the request's number among the requests for this path, from 1
     */
    static Fault of(String path, int number) {
      if (!path.startsWith(EVENTS)) {
        return NONE;
      }
      return switch (number % 50) {
        case 10 -> THROTTLED;
        case 20 -> NO_INSTANCE;
        case 30 -> LOST_ANSWER;
        default -> NONE;
      };
    }
  }

  private final LoopbackServer server = LoopbackServer.bind(0);
  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<String, AtomicInteger> requestCounts = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> answerCounts = new ConcurrentHashMap<>();
  private volatile URI target;
  private final Map<String, HttpAnswer> answers = new ConcurrentHashMap<>();

  UnreliableGateway(URI target) throws IOException {
    this.target = target;
    server.serve(Map.of("/", this::handle));
  }

  /** Forwards requests to another port from now on: the service has restarted there. */
  void forwardTo(URI moved) {
    target = moved;
  }

  /**
   * Sets whether every request for events gets 503, with a {@code Retry-After} of 9 s. Shopify
   * waits only 5 s for an answer.
   */
  void busy(boolean busy) {
    if (busy) {
      answer(EVENTS, HttpAnswer.json(503, "{\"message\":\"Busy\"}").with("Retry-After", "9"));
    } else {
      forwardAll();
    }
  }

  /** Gives this answer, instead of the service, to each request whose path begins so. */
  void answer(String path, HttpAnswer answer) {
    answers.put(path, answer);
  }

  /** Forwards all requests again. */
  void forwardAll() {
    answers.clear();
  }

  URI endpoint() {
    return server.endpoint();
  }

  /** Sets all counts to zero. */
  void reset() {
    requestCounts.clear();
    answerCounts.clear();
  }

  /** The number of requests for this path, answered or not. */
  int requestCount(String path) {
    return counter(requestCounts, path).get();
  }

  /** The number of the service's answers for this path, lost or not. */
  int answerCount(String path) {
    return counter(answerCounts, path).get();
  }

  private static AtomicInteger counter(Map<String, AtomicInteger> counts, String path) {
    return counts.computeIfAbsent(path, any -> new AtomicInteger());
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    byte[] body = exchange.getRequestBody().readAllBytes();
    Optional<HttpAnswer> answer =
        answers.entrySet().stream()
            .filter(each -> path.startsWith(each.getKey()))
            .map(Map.Entry::getValue)
            .findAny();
    int number = counter(requestCounts, path).incrementAndGet();
    if (answer.isPresent()) {
      answer.get().send(exchange);
      return;
    }
    switch (Fault.of(path, number)) {
      case NONE -> reply(exchange, path, forward(exchange, path, body));
      case THROTTLED -> HttpAnswer.json(429, "{\"message\":\"Too Many Requests\"}").send(exchange);
      case NO_INSTANCE ->
          HttpAnswer.json(503, "{\"message\":\"Service Unavailable\"}").send(exchange);
      case LOST_ANSWER -> forward(exchange, path, body); // the exchange then closes
    }
  }

  /** Sends a request to the service, and counts the answer. */
  private HttpResponse<String> forward(HttpExchange exchange, String path, byte[] body)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(target + path)).POST(BodyPublishers.ofByteArray(body));
    for (String name : new String[] {"Authorization", "Content-Type", "Idempotency-Key"}) {
      String value = exchange.getRequestHeaders().getFirst(name);
      if (value != null) {
        request.header(name, value);
      }
    }
    try {
      HttpResponse<String> received = client.send(request.build(), BodyHandlers.ofString());
      counter(answerCounts, path).incrementAndGet();
      return received;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /**
   * Passes on an answer of the service. Reduces {@code expires_in} to 0 after a login, so that a
   * connector refreshes its token even if it sends all events within a second, and to 1 after that.
   */
  private static void reply(HttpExchange exchange, String path, HttpResponse<String> received)
      throws IOException {
    String expiry = "\"expires_in\":" + (path.equals(LOGIN) ? 0 : 1);
    String body = received.body().replaceFirst("\"expires_in\":\\d+", expiry);
    HttpAnswer reply = new HttpAnswer(received.statusCode(), List.of(), body.getBytes(UTF_8));
    for (String name : new String[] {"Content-Type", "Retry-After"}) {
      String value = received.headers().firstValue(name).orElse("");
      reply = value.isEmpty() ? reply : reply.with(name, value);
    }
    reply.send(exchange);
  }

  @Override
  public void close() {
    server.close();
    client.close();
  }
}
