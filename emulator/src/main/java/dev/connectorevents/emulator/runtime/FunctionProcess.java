package dev.connectorevents.emulator.runtime;

import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.template.Arn;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One instance of a function, in the runtime's process; serves one call at a time. Its methods
 * throw {@code IllegalStateException} with the process's output when it does something else.
 */
public final class FunctionProcess implements AutoCloseable {

  // Ends the build if a process hangs. No function takes nearly as long.
  private static final long PATIENCE_SECONDS = 120;
  private static final long LAST_WORDS_SECONDS = 5;

  /**
   * The answer to a call.
   *
   * @param time from sending the event to having the whole answer
   */
  public record Reply(String payload, Duration time) {}

  private final BlockingQueue<Report> reports = new LinkedBlockingQueue<>();
  private final FunctionDefinition function;
  private final RuntimeApi api;
  private final Path output;
  private final long start;
  private final Process process;
  private boolean isIdle;
  private long idleAt;

  /** Starts a process from {@link LambdaRuntime#process}. */
  public static FunctionProcess start(FunctionDefinition function, ProcessBuilder builder)
      throws IOException {
    return new FunctionProcess(function, builder);
  }

  private FunctionProcess(FunctionDefinition function, ProcessBuilder builder) throws IOException {
    this.function = function;
    api = new RuntimeApi(reports::add);
    output = Files.createTempFile(builder.directory().toPath().getParent(), function.id(), ".log");
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().put("AWS_LAMBDA_RUNTIME_API", api.address());
    start = System.nanoTime();
    process = builder.start();
    var _ = process.onExit().thenAccept(it -> reports.add(new Report.Exited(it.exitValue())));
  }

  public long pid() {
    return process.pid();
  }

  /** Waits for the next report. */
  public Report await() throws InterruptedException, IOException {
    Report report = reports.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (report == null) {
      throw new IllegalStateException(function.id() + " hangs. It wrote:\n" + output());
    }
    return report;
  }

  /** Waits until Lambda would take the snapshot. */
  public void awaitSnapshot() throws InterruptedException, IOException {
    Report report = await();
    if (!(report instanceof Report.Suspended)) {
      throw unexpected(report);
    }
  }

  /** Resumes it from there. */
  public void restore() {
    api.restore();
  }

  /** Waits until it asks for an event; returns the time from the process's start until then. */
  public Duration awaitIdle() throws InterruptedException, IOException {
    if (!isIdle) {
      idleAt =
          switch (await()) {
            case Report.Idle(long at) -> at;
            case Report other -> throw unexpected(other);
          };
      isIdle = true;
    }
    return Duration.ofNanos(idleAt - start);
  }

  /** Waits until it is idle, sends an event and waits for the answer. */
  public Reply invoke(String event) throws InterruptedException, IOException {
    awaitIdle();
    isIdle = false;
    HttpAnswer request = request(event);
    long sent = System.nanoTime();
    api.send(request);
    return switch (await()) {
      case Report.Answered(String payload, long at) ->
          new Reply(payload, Duration.ofNanos(at - sent));
      case Report other -> throw unexpected(other);
    };
  }

  private HttpAnswer request(String event) {
    long deadline = System.currentTimeMillis() + function.timeout().toMillis();
    return HttpAnswer.json(200, event)
        .with("Lambda-Runtime-Aws-Request-Id", UUID.randomUUID().toString())
        .with("Lambda-Runtime-Deadline-Ms", String.valueOf(deadline))
        .with("Lambda-Runtime-Invoked-Function-Arn", Arn.function(function.id()))
        .with("Lambda-Runtime-Trace-Id", "Root=1-691f0f2c-0123456789abcdef01234567;Sampled=0");
  }

  private IllegalStateException unexpected(Report report) throws InterruptedException, IOException {
    // The runtime logs after its report. The next report shows that it has.
    var _ = reports.poll(LAST_WORDS_SECONDS, TimeUnit.SECONDS);
    return new IllegalStateException(function.id() + ": " + report + "\nIt wrote:\n" + output());
  }

  /** All that the process has written: on Lambda, its log. */
  public String output() throws IOException {
    return Files.readString(output);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
    api.close();
  }
}
