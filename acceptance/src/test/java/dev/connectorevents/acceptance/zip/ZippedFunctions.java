package dev.connectorevents.acceptance.zip;

import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.runtime.FunctionProcess;
import dev.connectorevents.emulator.runtime.LambdaRuntime;
import dev.connectorevents.emulator.runtime.LambdaRuntime.Initialization;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The functions of the built zip. The first {@link #get} of a function starts a process for it. */
final class ZippedFunctions implements AutoCloseable {

  private final Map<String, FunctionProcess> processes = new HashMap<>();

  /** JVM options for a quick start: the processes live only for seconds. */
  private static final List<String> QUICK = List.of("-XX:TieredStopAtLevel=1");

  private final World service;
  private final LambdaRuntime runtime;

  /**
   * @param folder an empty folder for the zip's content
   */
  ZippedFunctions(World service, Path folder) throws IOException {
    this.service = service;
    runtime = BuiltZip.unpack(folder);
  }

  FunctionProcess get(String id) throws IOException {
    FunctionProcess process = processes.get(id);
    if (process == null) {
      process = start(id);
      processes.put(id, process);
    }
    return process;
  }

  private FunctionProcess start(String id) throws IOException {
    FunctionDefinition function =
        service.template().functions().stream()
            .filter(defined -> defined.id().equals(id))
            .findFirst()
            .orElseThrow();
    Map<String, String> ambient = service.settings().environment();
    return FunctionProcess.start(
        function, runtime.process(function, Initialization.ON_DEMAND, ambient, QUICK));
  }

  @Override
  public void close() {
    processes.values().forEach(FunctionProcess::close);
  }
}
