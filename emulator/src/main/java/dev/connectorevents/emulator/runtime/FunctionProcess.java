package dev.connectorevents.emulator.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

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

/** One instance of a function, in the runtime's process; serves one call at a time. */
public final class FunctionProcess implements AutoCloseable {
  // Only so that a hanging process ends the build; no function of ours may take nearly as long.
  private static final long PATIENCE_SECONDS = 120;
  private static final long LAST_WORDS_SECONDS = 5;

  /**
   * What a call came to.
   *
   * @param time from the event's first byte to the answer's last
   */
  public record Reply(String payload, Duration time) {}

  private final BlockingQueue<Report> reports = new LinkedBlockingQueue<>();
  private final FunctionDefinition function;
  private final RuntimeApi api;
  private final Path output;
  private final long start;
  private final Process process;
  private boolean idle;
  private long idleAt;

  /**
   * Starts a function in a process of its own.
   *
   * @param builder as {@link LambdaRuntime#process} makes it
   */
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

  /** The operating system's id of the process. */
  public long pid() {
    return process.pid();
  }

  /** Waits for the next thing that happens. */
  public Report await() throws InterruptedException, IOException {
    Report report = reports.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (report == null) {
      throw new IllegalStateException(function.id() + " hangs. It wrote:\n" + output());
    }
    return report;
  }

  /**
   * Waits until it has come to where Lambda takes the snapshot.
   *
   * @throws IllegalStateException with all that the process wrote, when it does not come to that
   */
  public void awaitSnapshot() throws InterruptedException, IOException {
    Report report = await();
    if (!(report instanceof Report.Suspended)) {
      throw unexpected(report);
    }
  }

  /** Has it go on from there. */
  public void restore() {
    api.restore();
  }

  /**
   * Waits until it has started, or has done with its last call; returns how long after the start of
   * the process it asked for its next event.
   *
   * @throws IllegalStateException with all that the process wrote, when it does not come to that
   */
  public Duration awaitIdle() throws InterruptedException, IOException {
    if (!idle) {
      idleAt =
          switch (await()) {
            case Report.Idle(long at) -> at;
            case Report other -> throw unexpected(other);
          };
      idle = true;
    }
    return Duration.ofNanos(idleAt - start);
  }

  /**
   * Calls it, once it is idle, and waits for its answer.
   *
   * @throws IllegalStateException with all that the process wrote, when it does not answer
   */
  public Reply invoke(String event) throws InterruptedException, IOException {
    awaitIdle();
    idle = false;
    String headers = headers();
    byte[] json = event.getBytes(UTF_8);
    long sent = System.nanoTime();
    api.send(headers, json);
    return switch (await()) {
      case Report.Answered(String payload, long at) ->
          new Reply(payload, Duration.ofNanos(at - sent));
      case Report other -> throw unexpected(other);
    };
  }

  private String headers() {
    return """
    Lambda-Runtime-Aws-Request-Id: %s\r
    Lambda-Runtime-Deadline-Ms: %d\r
    Lambda-Runtime-Invoked-Function-Arn: %s\r
    Lambda-Runtime-Trace-Id: Root=1-691f0f2c-0123456789abcdef01234567;Sampled=0\r
    """
        .formatted(
            UUID.randomUUID(),
            System.currentTimeMillis() + function.timeout().toMillis(),
            Arn.function(function.name()));
  }

  private IllegalStateException unexpected(Report report) throws InterruptedException, IOException {
    // The runtime reports first and logs then; after that it asks for an event, or ends.
    var _ = reports.poll(LAST_WORDS_SECONDS, TimeUnit.SECONDS);
    return new IllegalStateException(function.id() + ": " + report + "\nIt wrote:\n" + output());
  }

  /** What it wrote so far: on Lambda, its log. */
  public String output() throws IOException {
    return Files.readString(output);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
    api.close();
  }
}
