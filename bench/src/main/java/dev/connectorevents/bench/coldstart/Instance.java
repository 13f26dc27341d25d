package dev.connectorevents.bench.coldstart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.bench.coldstart.Candidates.Candidate;
import dev.connectorevents.emulator.runtime.FunctionProcess;
import dev.connectorevents.emulator.runtime.FunctionProcess.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One process of a candidate; all times are in ms. */
record Instance(Candidate candidate, FunctionProcess process) implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** How long after its start it was ready, having gone on from its snapshot where it has one. */
  double awaitReady() throws IOException, InterruptedException {
    if (candidate.isRestored()) {
      process.awaitSnapshot();
      process.restore();
    }
    return process.awaitIdle().toNanos() / 1e6;
  }

  /** How long it takes to answer the candidate's event, which has to be a success. */
  double invoke() throws IOException, InterruptedException {
    Reply reply = process.invoke(candidate.event());
    if (!isSuccess(reply.payload())) {
      throw new IllegalStateException(
          candidate.name() + " answered " + reply.payload() + "\nIt wrote:\n" + process.output());
    }
    process.awaitIdle(); // else the end of its work would fall into another's time
    return reply.time().toNanos() / 1e6;
  }

  /** A status of 2xx or, of a function without a route, no problem's code. */
  static boolean isSuccess(String answer) throws IOException {
    JsonNode json = JSON.readTree(answer);
    return json.has("statusCode") ? json.get("statusCode").asInt() / 100 == 2 : !json.has("code");
  }

  /** The most memory that it had so far, in MiB. */
  double peakMib() throws IOException {
    return peakMib(Files.readString(Path.of("/proc", Long.toString(process.pid()), "status")));
  }

  /** The same out of what Linux says of a process. */
  static double peakMib(String status) {
    return Integer.parseInt(status.replaceFirst("(?s).*VmHWM:\\s+(\\d+) kB.*", "$1")) / 1024.0;
  }

  @Override
  public void close() {
    process.close();
  }
}
