package dev.connectorevents.acceptance.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.acceptance.service.Proxy;
import dev.connectorevents.emulator.http.HttpAnswer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A proxy between connectors and the service. It counts requests, reduces {@code expires_in}, and
 * loses some answers. Sometimes it answers itself, as API Gateway does when it throttles or finds
 * no instance.
 */
final class UnreliableGateway implements AutoCloseable {

  static final String LOGIN = "/api/auth/login";

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

  private final Proxy proxy;
  private final Map<String, AtomicInteger> requestCounts = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> answerCounts = new ConcurrentHashMap<>();
  private final Map<String, HttpAnswer> answers = new ConcurrentHashMap<>();

  /** The URL of the service changes at each restart. */
  UnreliableGateway(Supplier<URI> service) {
    try {
      proxy = new Proxy(exchange -> service.get(), this::intercept);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Gives this answer, instead of the service, to each request whose path begins so. */
  void answer(String path, HttpAnswer answer) {
    answers.put(path, answer);
  }

  void forwardAll() {
    answers.clear();
  }

  URI endpoint() {
    return proxy.endpoint();
  }

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

  private void intercept(Proxy.Call call) throws IOException {
    String path = call.path();
    // Before it counts: a test that has seen the count may take the answers away.
    Optional<HttpAnswer> answer =
        answers.entrySet().stream()
            .filter(each -> path.startsWith(each.getKey()))
            .map(Map.Entry::getValue)
            .findAny();
    int number = counter(requestCounts, path).incrementAndGet();
    if (answer.isPresent()) {
      call.answer(answer.get());
      return;
    }
    switch (Fault.of(path, number)) {
      case NONE -> call.answer(withShortExpiry(path, forward(call, path)));
      case THROTTLED -> call.answer(HttpAnswer.json(429, "{\"message\":\"Too Many Requests\"}"));
      case NO_INSTANCE ->
          call.answer(HttpAnswer.json(503, "{\"message\":\"Service Unavailable\"}"));
      case LOST_ANSWER -> forward(call, path); // the connection then closes
    }
  }

  /** Sends a request to the service, and counts the answer. */
  private HttpResponse<byte[]> forward(Proxy.Call call, String path) throws IOException {
    HttpResponse<byte[]> received = call.forward();
    counter(answerCounts, path).incrementAndGet();
    return received;
  }

  /**
   * An answer of the service with an {@code expires_in} of 0 after a login, so that a connector
   * refreshes its token even if it sends all events within a second, and of 1 after that.
   */
  private static HttpAnswer withShortExpiry(String path, HttpResponse<byte[]> received) {
    String expiry = "\"expires_in\":" + (path.equals(LOGIN) ? 0 : 1);
    String body = new String(received.body(), UTF_8).replaceFirst("\"expires_in\":\\d+", expiry);
    HttpAnswer reply = new HttpAnswer(received.statusCode(), List.of(), body.getBytes(UTF_8));
    for (String name : new String[] {"Content-Type", "Retry-After"}) {
      String value = received.headers().firstValue(name).orElse("");
      reply = value.isEmpty() ? reply : reply.with(name, value);
    }
    return reply;
  }

  @Override
  public void close() {
    proxy.close();
  }
}
