package dev.connectorevents.emulator.runtime;

import dev.connectorevents.emulator.function.LambdaEnvironment;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Lambda's Java runtime with one deployment package: starts the functions in it.
 *
 * @param jars folder with the runtime's jars
 * @param nativeLibrary the runtime's HTTP client
 * @param task /var/task on Lambda: classes, and jars in lib/
 */
public record LambdaRuntime(Path jars, Path nativeLibrary, Path task) {

  private static final String MAIN = "com.amazonaws.services.lambda.runtime.api.client.AWSLambda";
  private static final String MAIN_JAR = "aws-lambda-java-runtime-interface-client.jar";
  private static final String NATIVE_LIBRARY =
      "com.amazonaws.services.lambda.runtime.api.client.runtimeapi.NativeClient.JNI";

  /** Makes the JVM call the hooks around a snapshot. */
  private static final String SNAPSHOT_HOOKS =
      "-Dorg.crac.Core.Compat=com.amazonaws.services.lambda.crac";

  /** Why Lambda initializes a process, in Lambda's terms. */
  public enum Initialization {
    ON_DEMAND,
    SNAP_START;

    private String value() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * Unpacks a zip as Lambda does.
   *
   * @param folder empty
   */
  public static LambdaRuntime unpack(Path zip, Path jars, Path folder) throws IOException {
    Path task = folder.resolve("task");
    try (FileSystem archive = FileSystems.newFileSystem(zip)) {
      copy(archive.getPath("/"), task);
    }
    // Otherwise the runtime unpacks it at each start, always to the same file in /tmp.
    Path nativeLibrary = folder.resolve("libaws-lambda-jni.so");
    try (FileSystem archive = FileSystems.newFileSystem(jars.resolve(MAIN_JAR))) {
      String processor = System.getProperty("os.arch").equals("aarch64") ? "aarch_64" : "x86_64";
      Files.copy(
          archive.getPath("jni", "libaws-lambda-jni.linux-" + processor + ".so"), nativeLibrary);
    }
    return new LambdaRuntime(jars.toAbsolutePath(), nativeLibrary, task);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  /** The same runtime with another unpacked package. */
  public LambdaRuntime with(Path otherTask) {
    return new LambdaRuntime(jars, nativeLibrary, otherTask);
  }

  /** A JVM option that writes the names of all loaded classes to a file. */
  public static String logClasses(Path file) {
    // Rotation would rename an existing file.
    return "-Xlog:class+load:file=" + file + ":none:filecount=0";
  }

  /**
   * The process of a function, not yet started.
   *
   * @param ambient variables that depend on the account: region, credentials, endpoints
   * @param options of the JVM, beside those that Lambda sets
   */
  public ProcessBuilder process(
      FunctionDefinition function,
      Initialization initialization,
      Map<String, String> ambient,
      List<String> options) {
    ProcessBuilder process = new ProcessBuilder(command(function, initialization, options));
    process.directory(task.toFile());
    Map<String, String> environment = process.environment();
    environment.clear(); // the user's own AWS settings name other endpoints
    environment.putAll(LambdaEnvironment.of(function, ambient));
    environment.put("AWS_LAMBDA_INITIALIZATION_TYPE", initialization.value());
    environment.put("AWS_EXECUTION_ENV", "AWS_Lambda_java25");
    environment.put("AWS_LAMBDA_LOG_FORMAT", "JSON");
    environment.put("LAMBDA_TASK_ROOT", task.toString());
    environment.put("LANG", "en_US.UTF-8");
    environment.put("TZ", ":UTC");
    return process;
  }

  private List<String> command(
      FunctionDefinition function, Initialization initialization, List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    if (initialization == Initialization.ON_DEMAND) {
      // Only here, since Java 25 (AWS, "Customize Java runtime startup behavior").
      command.add("-XX:TieredStopAtLevel=1");
    }
    Collections.addAll(
        command,
        // The options that Lambda is known to set.
        "-XX:MaxHeapSize=" + function.memoryMb() * 85 / 100 + "m",
        // The JVM derives the initial heap from the machine's memory. Lambda's machine has this
        // much.
        "-XX:MaxRAM=" + function.memoryMb() + "m",
        "-XX:+UseSerialGC",
        "-Xshare:auto",
        SNAPSHOT_HOOKS,
        // Without it, the JVM would warn of the native library.
        "--enable-native-access=ALL-UNNAMED",
        "-D" + NATIVE_LIBRARY + "=" + nativeLibrary,
        "-classpath",
        jars + "/*",
        MAIN,
        function.handler());
    return command;
  }
}
