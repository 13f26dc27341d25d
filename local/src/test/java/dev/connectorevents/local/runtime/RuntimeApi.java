package dev.connectorevents.local.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import dev.connectorevents.local.http.Answer;
import dev.connectorevents.local.http.LoopbackServer;
import dev.connectorevents.local.template.FunctionDefinition;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/**
 * Where the process of one function fetches its events and brings its answers.
 *
 * @see <a href="https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html">Runtime API</a>
 */
final class RuntimeApi implements AutoCloseable {
  private static final String PATH = "/2018-06-01/runtime/";

  private final LoopbackServer server = LoopbackServer.bind(0);
  private final CountDownLatch restored = new CountDownLatch(1);
  private final BlockingQueue<byte[]> events = new LinkedBlockingQueue<>();
  private final FunctionDefinition function;
  private final Consumer<Report> reports;

  RuntimeApi(FunctionDefinition function, Consumer<Report> reports) throws IOException {
    this.function = function;
    this.reports = reports;
    server.serve(Map.of(PATH, this::handle));
  }

  /** As AWS_LAMBDA_RUNTIME_API has it: host and port. */
  String address() {
    return server.endpoint().getAuthority();
  }

  /** Lets the process have an event as soon as it asks for one. */
  void offer(byte[] event) {
    events.add(event);
  }

  /** Lets the process go on that stopped where Lambda takes its snapshot. */
  void restore() {
    restored.countDown();
  }

  private void handle(HttpExchange exchange) throws IOException {
    var operation = exchange.getRequestURI().getPath().substring(PATH.length());
    if (operation.equals("restore/next")) {
      reports.accept(new Report.Suspended());
      restoration().send(exchange);
      return;
    }
    if (operation.equals("invocation/next")) {
      reports.accept(new Report.Idle());
      event().send(exchange);
      return;
    }
    var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    Answer.json(202, "{\"status\":\"OK\"}").send(exchange);
    reports.accept(
        operation.equals("init/error")
            ? new Report.NotStarted(body)
            : operation.endsWith("/response")
                ? new Report.Answered(body)
                : new Report.Failed(body));
  }

  private Answer restoration() throws InterruptedIOException {
    try {
      restored.await();
      return Answer.json(200, "{}");
    } catch (InterruptedException e) {
      throw new InterruptedIOException("nobody restores it any more");
    }
  }

  private Answer event() throws InterruptedIOException {
    try {
      var event = events.take();
      var deadline = System.currentTimeMillis() + function.timeout().toMillis();
      var arn = "arn:aws:lambda:us-east-1:000000000000:function:" + function.name();
      return Answer.json(200, new String(event, UTF_8))
          .with("Lambda-Runtime-Aws-Request-Id", UUID.randomUUID().toString())
          .with("Lambda-Runtime-Deadline-Ms", Long.toString(deadline))
          .with("Lambda-Runtime-Invoked-Function-Arn", arn)
          .with("Lambda-Runtime-Trace-Id", "Root=1-691f0f2c-0123456789abcdef01234567;Sampled=0");
    } catch (InterruptedException e) {
      throw new InterruptedIOException("nobody has an event any more");
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
