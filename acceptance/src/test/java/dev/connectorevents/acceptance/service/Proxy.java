package dev.connectorevents.acceptance.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import dev.connectorevents.emulator.SdkSettings;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.LoopbackServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;

/**
 * A proxy between the functions and AWS, or between a client and the service. A test decides what
 * becomes of each call.
 */
public final class Proxy implements AutoCloseable {

  /** What belongs to one connection (RFC 9110, 7.6.1), and what the client sets itself. */
  private static final Set<String> NOT_FORWARDED =
      Set.of(
          "host",
          "connection",
          "content-length",
          "expect",
          "transfer-encoding",
          "upgrade",
          "http2-settings");

  /** What stands before the table of a request to DynamoDB, or the stage of a secret's version. */
  private static final List<String> BEFORE_SUBJECT =
      List.of("\"TableName\":\"", "\"RequestItems\":{\"", "\"VersionStage\":\"");

  /** Decides what becomes of a call. */
  public interface Interceptor {

    /** Answers a call. If this method sends no answer, the connection closes. */
    void intercept(Call call) throws IOException;
  }

  private final LoopbackServer server = LoopbackServer.bind(0);
  private final HttpClient client = HttpClient.newHttpClient();
  private final Function<HttpExchange, URI> target;
  private final ReadWriteLock underWay = new ReentrantReadWriteLock();
  private volatile boolean isClosed;

  public Proxy(Function<HttpExchange, URI> target, Interceptor interceptor) throws IOException {
    this.target = target;
    server.serve(
        Map.of(
            "/",
            exchange ->
                interceptor.intercept(
                    new Call(exchange, exchange.getRequestBody().readAllBytes()))));
  }

  public static Proxy ofAws(SdkSettings sound, Interceptor interceptor) throws IOException {
    return new Proxy(
        exchange ->
            exchange.getRequestHeaders().getFirst("X-Amz-Target").startsWith("DynamoDB")
                ? sound.dynamoDb()
                : sound.secretsManager(),
        interceptor);
  }

  public URI endpoint() {
    return server.endpoint();
  }

  /** A function's environment variables, changed so that the function calls AWS through this. */
  public Map<String, String> environment(Map<String, String> variables) {
    Map<String, String> environment = new HashMap<>(variables);
    environment.put("ENDPOINT_URL", endpoint().toString());
    return environment;
  }

  /** Forwards no more calls. Returns when the last forwarded call has its answer. */
  @Override
  public void close() {
    underWay.writeLock().lock();
    try {
      isClosed = true;
    } finally {
      underWay.writeLock().unlock();
    }
    server.close();
    client.close();
  }

  /** A call whose request was read. */
  public final class Call {

    private final HttpExchange exchange;
    private final byte[] body;

    private Call(HttpExchange exchange, byte[] body) {
      this.exchange = exchange;
      this.body = body;
    }

    /** Such as {@code PutItem EventsTable}, or {@code POST /api/auth/login}. */
    public String name() {
      return header("X-Amz-Target")
          .map(this::awsName)
          .orElseGet(() -> exchange.getRequestMethod() + " " + path());
    }

    public String body() {
      return new String(body, UTF_8);
    }

    public String path() {
      return exchange.getRequestURI().getPath();
    }

    private String awsName(String amzTarget) {
      String operation = amzTarget.substring(amzTarget.indexOf('.') + 1);
      String text = body();
      return BEFORE_SUBJECT.stream()
          .filter(text::contains)
          .min(Comparator.comparingInt(text::indexOf))
          .map(before -> operation + " " + subject(text, before))
          .orElse(operation);
    }

    private static String subject(String text, String before) {
      int begin = text.indexOf(before) + before.length();
      return text.substring(begin, text.indexOf('"', begin));
    }

    public Optional<String> header(String name) {
      return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
    }

    /** Makes the call. */
    public HttpResponse<byte[]> forward() throws IOException {
      underWay.readLock().lock();
      try {
        if (isClosed) {
          throw new IOException("the process is gone");
        }
        return client.send(request(), BodyHandlers.ofByteArray());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      } finally {
        underWay.readLock().unlock();
      }
    }

    private HttpRequest request() {
      URI sent = exchange.getRequestURI();
      HttpRequest.Builder request =
          HttpRequest.newBuilder(target.apply(exchange).resolve(sent.toString()))
              .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
      exchange
          .getRequestHeaders()
          .forEach((String name, List<String> values) -> {
            if (isForwarded(name)) {
              values.forEach(value -> request.header(name, value));
            }
          });
      return request.build();
    }

    /** Passes an answer on. */
    public void answer(HttpResponse<byte[]> answer) throws IOException {
      answer
          .headers()
          .map()
          .forEach((name, values) -> {
            if (isForwarded(name)) {
              exchange.getResponseHeaders().put(name, values);
            }
          });
      answer(new HttpAnswer(answer.statusCode(), List.of(), answer.body()));
    }

    public void answer(HttpAnswer answer) throws IOException {
      answer.send(exchange);
    }

    /** Answers with the first half of a body, and then closes the connection. */
    void answerHalf(byte[] whole) throws IOException {
      exchange.sendResponseHeaders(200, whole.length + 1L);
      exchange.getResponseBody().write(whole, 0, whole.length / 2);
      exchange.getResponseBody().flush();
    }

    private static boolean isForwarded(String header) {
      return !NOT_FORWARDED.contains(header.toLowerCase(Locale.ROOT)) && !header.startsWith(":");
    }
  }
}
