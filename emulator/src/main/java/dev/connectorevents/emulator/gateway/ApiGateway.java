package dev.connectorevents.emulator.gateway;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.connectorevents.emulator.function.Invocation;
import dev.connectorevents.emulator.function.LocalFunction;
import dev.connectorevents.emulator.function.RecordedInvocation;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.RequestBody;
import dev.connectorevents.emulator.template.Route;
import dev.connectorevents.emulator.template.Throttling;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * API Gateway's HTTP API over the template's routes, Lambda proxy integration, payload format 2.0.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html">Lambda
 *     proxy integrations for HTTP APIs</a>
 */
public final class ApiGateway implements HttpHandler {
  // Quotas "Payload size" and "Total combined size of request line and header values", in bytes.
  private static final int MAX_BODY = 10 * 1024 * 1024;
  private static final int MAX_HEAD = 10_240;

  private final RouteTable routes;
  private final RouteThrottles throttles;
  private final Map<String, LocalFunction> functions;
  private final Consumer<Exchange> traffic;

  /** An answer, and the call that made it unless API Gateway made it itself. */
  private record Handled(HttpAnswer answer, Optional<RecordedInvocation> call) {
    Handled(HttpAnswer answer) {
      this(answer, Optional.empty());
    }
  }

  /**
   * @param traffic receives each exchange before its answer is sent
   */
  public ApiGateway(
      List<LocalFunction> functions,
      Throttling throttling,
      InstantSource clock,
      Consumer<Exchange> traffic) {
    this.traffic = traffic;
    this.functions =
        functions.stream().collect(Collectors.toMap(each -> each.definition().id(), it -> it));
    List<Route> all =
        functions.stream().flatMap(each -> each.definition().routes().stream()).toList();
    this.routes = new RouteTable(all);
    this.throttles = new RouteThrottles(all, throttling, clock);
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    String requestId = UUID.randomUUID().toString();
    Optional<byte[]> body = RequestBody.read(exchange, MAX_BODY);
    Instant receivedAt = Instant.now();
    long start = System.nanoTime();
    Map<String, String> headers = RequestEvent.headers(exchange);
    Handled handled = handled(exchange, headers, body, requestId);
    HttpAnswer answer = handled.answer().with("apigw-requestid", requestId);
    URI target = exchange.getRequestURI();
    show(
        new Exchange(
            requestId,
            receivedAt,
            exchange.getRequestMethod(),
            target.getRawPath(),
            Objects.requireNonNullElse(target.getRawQuery(), ""),
            headers,
            RequestEvent.repeated(exchange),
            body.orElse(new byte[0]),
            handled.call(),
            answer,
            Duration.ofNanos(System.nanoTime() - start)));
    try {
      answer.send(exchange);
    } catch (IllegalArgumentException e) {
      // A header of the function's answer cannot be sent.
      exchange.getResponseHeaders().clear();
      internalError().with("apigw-requestid", requestId).send(exchange);
    }
  }

  /** An observer's defect must not change the answer. */
  private void show(Exchange exchange) {
    try {
      traffic.accept(exchange);
    } catch (RuntimeException e) {
      System.err.println("The observer of the request " + exchange.id() + " failed:");
      e.printStackTrace();
    }
  }

  private Handled handled(
      HttpExchange exchange, Map<String, String> headers, Optional<byte[]> body, String requestId)
      throws IOException {
    if (headSize(exchange) > MAX_HEAD) {
      return new Handled(message(431, "Request Header Fields Too Large"));
    }
    Optional<RouteTable.Match> match =
        routes.match(exchange.getRequestMethod(), exchange.getRequestURI().getRawPath());
    if (match.isEmpty()) {
      return new Handled(message(404, "Not Found"));
    }
    if (body.isEmpty()) {
      return new Handled(tooLarge());
    }
    Route route = match.get().route();
    if (!throttles.admits(route)) {
      return new Handled(message(429, "Too Many Requests"));
    }
    byte[] event = new RequestEvent(exchange, match.get(), requestId, headers).json(body.get());
    if (event.length > LocalFunction.MAX_EVENT) {
      return new Handled(tooLarge()); // as Lambda's Invoke answers
    }
    LocalFunction function = Objects.requireNonNull(functions.get(route.function()));
    RecordedInvocation call = function.invoke(event, requestId);
    return new Handled(answer(call.outcome()), Optional.of(call));
  }

  private static HttpAnswer answer(Invocation outcome) {
    return switch (outcome) {
      case Invocation.Answered answered ->
          FunctionAnswer.read(answered.payload()).orElseGet(ApiGateway::internalError);
      case Invocation.Throttled throttled -> message(503, "Service Unavailable");
      case Invocation.Failed failed -> internalError();
    };
  }

  private static int headSize(HttpExchange exchange) {
    return exchange.getRequestMethod().length()
        + exchange.getRequestURI().toString().length()
        + exchange.getRequestHeaders().values().stream()
            .flatMap(List::stream)
            .mapToInt(String::length)
            .sum();
  }

  private static HttpAnswer tooLarge() {
    return message(413, "Request Entity Too Large");
  }

  private static HttpAnswer internalError() {
    return message(500, "Internal Server Error");
  }

  private static HttpAnswer message(int status, String message) {
    return HttpAnswer.json(status, "{\"message\":\"" + message + "\"}");
  }
}
