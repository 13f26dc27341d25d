package dev.connectorevents.bench.coldstart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One process of a function, from its start on; serves one request at a time. */
final class Instance implements AutoCloseable {

  // Only so that a hanging process ends the bench.
  private static final long PATIENCE_SECONDS = 60;

  private static final long LAST_WORDS_SECONDS = 2;

  private final Candidate candidate;
  private final RuntimeApi api = new RuntimeApi();
  private final Path output;
  private final long start;
  private final Process process;

  Instance(Candidate candidate, Machine machine, List<String> options) throws IOException {
    this.candidate = candidate;
    output = Files.createTempFile(machine.folder(), "output", ".log");
    start = System.nanoTime();
    process = machine.start(candidate, options, api.address(), output);
    var _ = process.onExit().thenAccept(it -> api.fail("it ended with " + it.exitValue()));
  }

  /** Waits until it has come to where Lambda takes the snapshot. */
  void awaitSnapshot() {
    await(api.suspended());
  }

  /**
   * Waits until it has started, over the snapshot where there is one; returns the time since the
   * start of the process, in ms.
   */
  double awaitReady() throws IOException {
    if (candidate.isRestored()) {
      await(api.suspended()).answer("200 OK", "", RuntimeApi.DONE);
    }
    return (await(api.ready()).at() - start) / 1e6;
  }

  /**
   * Sends it the candidate's event; returns the time until its answer was here, in ms.
   *
   * @throws IllegalStateException with what it wrote, if it fails or answers anything but success
   */
  double invoke() {
    RuntimeConnection connection = await(api.ready()).connection();
    String id = UUID.randomUUID().toString();
    String headers = headers(id);
    byte[] event = candidate.eventBytes();
    try {
      long sent = System.nanoTime();
      connection.answer("200 OK", headers, event);
      RuntimeRequest answer = next(connection);
      long answered = System.nanoTime();
      connection.answer("202 Accepted", "", RuntimeApi.DONE);
      if (!answer.operation().equals("invocation/" + id + "/response")) {
        throw failed(answer.operation() + ": " + answer.body());
      }
      if (!Answers.isSuccess(answer.body())) {
        throw failed("it answered " + answer.body());
      }
      RuntimeRequest next = next(connection);
      if (!next.operation().equals("invocation/next")) {
        throw failed(next.operation() + ": " + next.body());
      }
      return (answered - sent) / 1e6;
    } catch (IOException e) {
      throw failed(api.failure().getNow(e.toString()));
    }
  }

  private static String headers(String id) {
    return """
    Lambda-Runtime-Aws-Request-Id: %s\r
    Lambda-Runtime-Deadline-Ms: %d\r
    Lambda-Runtime-Invoked-Function-Arn: arn:aws:lambda:us-east-1:000000000000:function:bench\r
    Lambda-Runtime-Trace-Id: Root=1-691f0f2c-0123456789abcdef01234567;Sampled=0\r
    """
        .formatted(id, System.currentTimeMillis() + 30_000);
  }

  private RuntimeRequest next(RuntimeConnection connection) throws IOException {
    return connection.read().orElseThrow(() -> failed(api.failure().getNow("it is gone")));
  }

  /** The most memory that it had so far, in MiB. */
  double peakMib() throws IOException {
    return PeakMemory.mib(
        Files.readString(Path.of("/proc", Long.toString(process.pid()), "status")));
  }

  private <T> T await(CompletableFuture<T> future) {
    try {
      return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw failed(String.valueOf(e.getCause()));
    } catch (TimeoutException e) {
      throw failed("it hangs");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed("nobody waits for it any more");
    }
  }

  private IllegalStateException failed(String why) {
    try {
      // What it logs of a failure it logs after it has told of it.
      process.waitFor(LAST_WORDS_SECONDS, TimeUnit.SECONDS);
      return new IllegalStateException(
          candidate.name() + ": " + why + "\nIt wrote:\n" + Files.readString(output));
    } catch (IOException e) {
      throw new UncheckedIOException(candidate.name() + ": " + why, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new IllegalStateException(candidate.name() + ": " + why, e);
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    api.close();
  }
}
