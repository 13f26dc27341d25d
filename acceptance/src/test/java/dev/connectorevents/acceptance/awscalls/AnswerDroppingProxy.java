package dev.connectorevents.acceptance.awscalls;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.connectorevents.emulator.lambda.LocalFunction;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy for DynamoDB that loses answers. It forwards every write, but closes the connection
 * instead of answering the write's first attempt. The SDK then retries. The proxy can also cut off
 * all calls.
 */
public final class AnswerDroppingProxy implements AutoCloseable {

  private final Forwarder forwarder;
  private final AtomicInteger dropped = new AtomicInteger();
  private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
  private final HttpServer server;

  public AnswerDroppingProxy(URI target) throws IOException {
    forwarder = new Forwarder(target);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  private URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Starts another instance of a function. The instance reaches DynamoDB through this proxy. */
  public LocalFunction start(Template template, String id) {
    System.setProperty("aws.endpointUrlDynamoDb", endpoint().toString());
    return LocalFunction.start(
        template.functions().stream()
            .filter(function -> function.id().equals(id))
            .findFirst()
            .orElseThrow(),
        Map.of(),
        line -> {});
  }

  public int dropped() {
    return dropped.get();
  }

  /** From now on, only this many calls reach DynamoDB. The others get no answer. */
  public void cutAfter(int calls) {
    left.set(calls);
  }

  /** From now on, calls reach DynamoDB again. */
  public void mend() {
    left.set(Integer.MAX_VALUE);
  }

  private void handle(HttpExchange exchange) throws IOException {
    if (left.getAndDecrement() <= 0) {
      exchange.close();
      return;
    }
    HttpResponse<byte[]> answer = forwarder.forward(exchange);
    if (isFirstAttemptOfWrite(exchange)) {
      dropped.incrementAndGet();
      exchange.close();
      return;
    }
    Forwarder.answer(exchange, answer);
  }

  private static boolean isFirstAttemptOfWrite(HttpExchange exchange) {
    String operation = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    String attempt = exchange.getRequestHeaders().getFirst("amz-sdk-request");
    return operation.matches(".*\\.(PutItem|TransactWriteItems)") && attempt.contains("attempt=1;");
  }

  @Override
  public void close() {
    server.stop(0);
    forwarder.close();
  }
}
