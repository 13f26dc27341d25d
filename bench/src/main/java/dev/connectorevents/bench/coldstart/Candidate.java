package dev.connectorevents.bench.coldstart;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.local.runtime.LambdaRuntime;
import dev.connectorevents.local.runtime.LambdaRuntime.Initialization;
import dev.connectorevents.local.template.FunctionDefinition;
import java.util.List;

/**
 * A function that is measured: a row of the table.
 *
 * @param runtime with the package that the function is in
 * @param options of its JVM, beside Lambda's
 * @param event that it is sent, over and over
 * @param isWarm whether many requests in a row are measured too
 * @param codeBytes of ours the zip, of a peer its classes and jars
 */
record Candidate(
    String name,
    FunctionDefinition function,
    LambdaRuntime runtime,
    Initialization initialization,
    List<String> options,
    String event,
    boolean isWarm,
    long codeBytes) {

  Candidate {
    options = List.copyOf(options);
  }

  boolean isRestored() {
    return initialization == Initialization.SNAP_START;
  }

  byte[] eventBytes() {
    return event.getBytes(UTF_8);
  }
}
