package dev.connectorevents.acceptance.awscalls;

import com.sun.net.httpserver.HttpExchange;
import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.emulator.function.LocalFunction;
import dev.connectorevents.emulator.http.LoopbackServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy for DynamoDB that loses answers. It forwards every call, but drops the answer to the
 * first attempt of a {@code PutItem}, {@code TransactWriteItems} or {@code BatchExecuteStatement}.
 * The SDK then retries. A test can also cut DynamoDB off with {@link #cutAfter}.
 */
public final class AnswerDroppingProxy implements AutoCloseable {

  private final Forwarder forwarder;
  private final AtomicInteger dropped = new AtomicInteger();
  private final AtomicInteger callsLeft = new AtomicInteger(Integer.MAX_VALUE);
  private final LoopbackServer server = LoopbackServer.bind(0);

  public AnswerDroppingProxy(URI target) throws IOException {
    forwarder = new Forwarder(target);
    server.serve(Map.of("/", this::handle));
  }

  /** Starts another instance of a function. The instance reaches DynamoDB through this proxy. */
  public LocalFunction start(Emulator emulator, String id) {
    Map<String, String> ambient = new HashMap<>(emulator.environment());
    ambient.put("AWS_ENDPOINT_URL_DYNAMODB", server.endpoint().toString());
    return LocalFunction.start(
        emulator.template().functions().stream()
            .filter(function -> function.id().equals(id))
            .findFirst()
            .orElseThrow(),
        ambient,
        line -> {});
  }

  public int dropped() {
    return dropped.get();
  }

  /**
   * Forwards only this many more calls. Later calls do not reach DynamoDB and get no answer, until
   * {@link #mend}.
   */
  public void cutAfter(int calls) {
    callsLeft.set(calls);
  }

  /** Forwards all calls again. */
  public void mend() {
    callsLeft.set(Integer.MAX_VALUE);
  }

  /** Answers a call. If this method sends no answer, the server closes the connection. */
  private void handle(HttpExchange exchange) throws IOException {
    if (callsLeft.getAndDecrement() <= 0) {
      return;
    }
    HttpResponse<byte[]> answer = forwarder.forward(exchange);
    if (isFirstAttemptOfWrite(exchange)) {
      dropped.incrementAndGet();
      return;
    }
    Forwarder.answer(exchange, answer);
  }

  private static boolean isFirstAttemptOfWrite(HttpExchange exchange) {
    String operation = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    String attempt = exchange.getRequestHeaders().getFirst("amz-sdk-request");
    return operation.matches(".*\\.(PutItem|TransactWriteItems|BatchExecuteStatement)")
        && attempt.contains("attempt=1;");
  }

  @Override
  public void close() {
    server.close();
    forwarder.close();
  }
}
