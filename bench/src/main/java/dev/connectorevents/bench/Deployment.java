package dev.connectorevents.bench;

import dev.connectorevents.bench.floor.Floor;
import dev.connectorevents.emulator.runtime.LambdaRuntime;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipFile;

/** An unpacked zip of functions, as on Lambda. */
record Deployment(LambdaRuntime runtime, long zipBytes) {

  /**
   * Unpacks a build of our functions.
   *
   * @param name of the new folder for it
   */
  static Deployment unpack(Path root, Path zip, Path folder, String name) throws IOException {
    Path jars = root.resolve("emulator/target/lambda-runtime");
    Path unpacked = Files.createDirectory(folder.resolve(name));
    return new Deployment(LambdaRuntime.unpack(zip, jars, unpacked), Files.size(zip));
  }

  /** The same runtime with {@link Floor} alone: without our functions, and without any library. */
  static LambdaRuntime floor(LambdaRuntime runtime, Path root, Path folder) throws IOException {
    Path task = folder.resolve("floor/task");
    String classFile = entry(Floor.class.getName());
    Files.createDirectories(task.resolve(classFile).getParent());
    Files.copy(root.resolve("bench/target/classes").resolve(classFile), task.resolve(classFile));
    return runtime.with(task);
  }

  /** Whether our jar in the zip has this function's class: an older build may lack it. */
  boolean has(FunctionDefinition function) throws IOException {
    try (ZipFile jar = new ZipFile(runtime.task().resolve("lib/functions.jar").toFile())) {
      return jar.getEntry(entry(function.handler())) != null;
    }
  }

  private static String entry(String className) {
    return className.replace('.', '/') + ".class";
  }
}
