package dev.connectorevents.local.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.local.runtime.LambdaRuntime.Initialization;
import dev.connectorevents.local.template.FunctionDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One instance of a function, in the runtime's process; serves one call at a time. */
public final class FunctionProcess implements AutoCloseable {
  // Only so that a hanging process ends the build; no function of ours may take nearly as long.
  private static final long PATIENCE_SECONDS = 120;
  private static final long LAST_WORDS_SECONDS = 5;

  private final BlockingQueue<Report> reports = new LinkedBlockingQueue<>();
  private final FunctionDefinition function;
  private final RuntimeApi api;
  private final Path output;
  private final Process process;
  private boolean idle;

  /**
   * Starts a function in a process of its own.
   *
   * @param ambient variables for where it runs: the region, the credentials, the endpoints
   */
  public static FunctionProcess start(
      LambdaRuntime runtime, FunctionDefinition function, Map<String, String> ambient)
      throws IOException {
    return new FunctionProcess(runtime, function, ambient, Initialization.ON_DEMAND, List.of());
  }

  /**
   * Starts a function as SnapStart does: it stops where Lambda takes the snapshot.
   *
   * @param classes a file for the names of all the classes that it loads
   */
  public static FunctionProcess startForSnapshot(
      LambdaRuntime runtime, FunctionDefinition function, Map<String, String> ambient, Path classes)
      throws IOException {
    return new FunctionProcess(
        runtime,
        function,
        ambient,
        Initialization.SNAP_START,
        List.of("-Xlog:class+load:file=" + classes));
  }

  private FunctionProcess(
      LambdaRuntime runtime,
      FunctionDefinition function,
      Map<String, String> ambient,
      Initialization initialization,
      List<String> options)
      throws IOException {
    this.function = function;
    api = new RuntimeApi(function, reports::add);
    output = Files.createTempFile(runtime.task().getParent(), function.id(), ".log");
    var builder =
        new ProcessBuilder(runtime.command(function, initialization, options))
            .directory(runtime.task().toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().clear(); // the user's own AWS settings lead elsewhere
    builder.environment().putAll(runtime.environment(function, ambient, initialization));
    builder.environment().put("AWS_LAMBDA_RUNTIME_API", api.address());
    process = builder.start();
    var _ = process.onExit().thenAccept(it -> reports.add(new Report.Exited(it.exitValue())));
  }

  /** Waits for the next thing that happens. */
  public Report await() throws InterruptedException, IOException {
    var report = reports.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
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
    var report = await();
    if (!(report instanceof Report.Suspended)) {
      throw unexpected(report);
    }
  }

  /** Has it go on from there. */
  public void restore() {
    api.restore();
  }

  /**
   * Waits until it has started, or has done with its last call.
   *
   * @throws IllegalStateException with all that the process wrote, when it does not come to that
   */
  public void awaitIdle() throws InterruptedException, IOException {
    if (!idle) {
      idle =
          switch (await()) {
            case Report.Idle() -> true;
            case Report other -> throw unexpected(other);
          };
    }
  }

  /**
   * Calls it and waits for what it answers.
   *
   * @throws IllegalStateException with all that the process wrote, when it does not answer
   */
  public String invoke(String event) throws InterruptedException, IOException {
    awaitIdle();
    idle = false;
    api.offer(event.getBytes(UTF_8));
    return switch (await()) {
      case Report.Answered(String payload) -> payload;
      case Report other -> throw unexpected(other);
    };
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
