package dev.connectorevents.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.bench.Candidates.Candidate;
import dev.connectorevents.emulator.runtime.FunctionProcess;
import dev.connectorevents.emulator.runtime.FunctionProcess.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One process of a candidate. All times are in ms. */
record Instance(Candidate candidate, FunctionProcess process) implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The times of a start. A start ends when the process asks for its first event.
   *
   * @param initMs from the start of the process until the start ends, without {@code restoreMs}
   * @param restoreMs from the restore of the snapshot until the start ends; 0 without a snapshot
   */
  record Start(double initMs, double restoreMs) {}

  /**
   * Waits until the process asks for its first event. If the candidate has a snapshot, first waits
   * for the snapshot and restores it.
   */
  Start awaitReady() throws IOException, InterruptedException {
    if (!candidate.isRestored()) {
      return new Start(ms(process.awaitIdle()), 0);
    }
    process.awaitSnapshot();
    long before = System.nanoTime();
    process.restore();
    double readyMs = ms(process.awaitIdle());
    double restoreMs = ms(Duration.ofNanos(System.nanoTime() - before));
    return new Start(readyMs - restoreMs, restoreMs);
  }

  private static double ms(Duration time) {
    return time.toNanos() / 1e6;
  }

  /**
   * Sends the candidate's event and returns the time until the answer, in ms.
   *
   * @throws IllegalStateException if the answer is no success
   */
  double invoke() throws IOException, InterruptedException {
    Reply reply = process.invoke(candidate.event());
    if (!isSuccess(reply.payload())) {
      throw new IllegalStateException(
          candidate.name() + " answered " + reply.payload() + "\nIt wrote:\n" + process.output());
    }
    process.awaitIdle(); // the function's remaining work must not slow down the next measurement
    return ms(reply.time());
  }

  /** Sends the candidate's event several times, and returns the times until the answers, in ms. */
  List<Double> invoke(int requests) throws IOException, InterruptedException {
    List<Double> times = new ArrayList<>();
    while (times.size() < requests) {
      times.add(invoke());
    }
    return times;
  }

  /**
   * Whether an answer has a status of 2xx. The answer of a function without a route has no status:
   * it is a success if it has no {@code code}.
   */
  static boolean isSuccess(String answer) throws IOException {
    JsonNode json = JSON.readTree(answer);
    return json.has("statusCode") ? json.get("statusCode").asInt() / 100 == 2 : !json.has("code");
  }

  /** The peak of the process's resident memory so far, in MiB. */
  double peakMib() throws IOException {
    return peakMib(Files.readString(Path.of("/proc", Long.toString(process.pid()), "status")));
  }

  /** Reads the peak from the text of Linux's {@code /proc/PID/status}, in MiB. */
  static double peakMib(String status) {
    return Integer.parseInt(status.replaceFirst("(?s).*VmHWM:\\s+(\\d+) kB.*", "$1")) / 1024.0;
  }

  @Override
  public void close() {
    process.close();
  }
}
