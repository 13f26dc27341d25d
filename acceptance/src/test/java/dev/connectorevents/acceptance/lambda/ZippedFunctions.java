package dev.connectorevents.acceptance.lambda;

import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.emulator.runtime.FunctionProcess;
import dev.connectorevents.emulator.runtime.LambdaRuntime;
import dev.connectorevents.emulator.runtime.LambdaRuntime.Initialization;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The functions of the zip that is deployed, each in its own process. */
final class ZippedFunctions implements AutoCloseable {

  private final Map<String, FunctionProcess> processes = new HashMap<>();

  /** The processes live for seconds. */
  private static final List<String> QUICK = List.of("-XX:TieredStopAtLevel=1");

  private final LambdaRuntime runtime;
  private final Map<String, String> ambient;

  /**
   * @param folder an empty folder for the zip's content
   */
  ZippedFunctions(Emulator service, Path folder) throws IOException, InterruptedException {
    runtime = BuiltZip.unpack(folder);
    ambient = service.settings().environment();
    try {
      for (FunctionDefinition function : service.template().functions()) {
        processes.put(function.id(), start(function));
        // One after the other: on a busy machine, the start of a function would time out.
        get(function.id()).awaitIdle();
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      close();
      throw e;
    }
  }

  FunctionProcess start(FunctionDefinition function) throws IOException {
    return FunctionProcess.start(
        function, runtime.process(function, Initialization.ON_DEMAND, ambient, QUICK));
  }

  FunctionProcess get(String id) {
    return Objects.requireNonNull(processes.get(id), id);
  }

  @Override
  public void close() {
    processes.values().forEach(FunctionProcess::close);
  }
}
