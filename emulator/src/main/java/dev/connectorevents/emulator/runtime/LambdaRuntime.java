package dev.connectorevents.emulator.runtime;

import dev.connectorevents.emulator.lambda.LambdaEnvironment;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lambda's Java runtime with one deployment package: how the functions in it are started.
 *
 * @param jars the runtime's own
 * @param nativeLibrary the part of it that speaks HTTP
 * @param task what is /var/task on Lambda: classes, and jars in lib/
 */
public record LambdaRuntime(Path jars, Path nativeLibrary, Path task) {
  private static final String MAIN = "com.amazonaws.services.lambda.runtime.api.client.AWSLambda";
  private static final String MAIN_JAR = "aws-lambda-java-runtime-interface-client.jar";
  private static final String NATIVE_LIBRARY =
      "com.amazonaws.services.lambda.runtime.api.client.runtimeapi.NativeClient.JNI";

  /** How the JVM is told to call the hooks around a snapshot. */
  private static final String SNAPSHOT_HOOKS =
      "-Dorg.crac.Core.Compat=com.amazonaws.services.lambda.crac";

  /** What a process is started for; the names are Lambda's. */
  public enum Initialization {
    /** A request that waits for it. */
    ON_DEMAND("on-demand"),
    /** Requests to come. */
    PROVISIONED_CONCURRENCY("provisioned-concurrency"),
    /** A snapshot, that it goes on from. */
    SNAP_START("snap-start");

    private final String value;

    Initialization(String value) {
      this.value = value;
    }
  }

  /**
   * With a package unpacked as Lambda does it.
   *
   * @param jars a folder with the runtime's jars
   * @param folder empty
   */
  public static LambdaRuntime unpack(Path zip, Path jars, Path folder) throws IOException {
    var task = folder.resolve("task");
    try (var archive = FileSystems.newFileSystem(zip)) {
      copy(archive.getPath("/"), task);
    }
    // Left to itself the runtime unpacks it at each start, and always to the same file of /tmp.
    var nativeLibrary = folder.resolve("libaws-lambda-jni.so");
    try (var archive = FileSystems.newFileSystem(jars.resolve(MAIN_JAR))) {
      var processor = System.getProperty("os.arch").equals("aarch64") ? "aarch_64" : "x86_64";
      Files.copy(
          archive.getPath("jni", "libaws-lambda-jni.linux-" + processor + ".so"), nativeLibrary);
    }
    return new LambdaRuntime(jars.toAbsolutePath(), nativeLibrary, task);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var files = Files.walk(from)) {
      for (var file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  /** The same runtime with another package, which lies unpacked in that folder. */
  public LambdaRuntime with(Path otherTask) {
    return new LambdaRuntime(jars, nativeLibrary, otherTask);
  }

  /** The JVM's option that has it write the names of the classes that it loads to a file. */
  public static String logClasses(Path file) {
    // Without rotation: it would move the file aside that is there already.
    return "-Xlog:class+load:file=" + file + ":none:filecount=0";
  }

  /**
   * How a function's process is started.
   *
   * @param ambient variables for where it runs: the region, the credentials, the endpoints
   * @param options of the JVM, beside those that Lambda sets
   */
  public ProcessBuilder process(
      FunctionDefinition function,
      Initialization initialization,
      Map<String, String> ambient,
      List<String> options) {
    ProcessBuilder process = new ProcessBuilder(command(function, initialization, options));
    process.directory(task.toFile());
    process.environment().clear(); // the user's own AWS settings lead elsewhere
    process.environment().putAll(environment(function, ambient, initialization));
    return process;
  }

  private Map<String, String> environment(
      FunctionDefinition function, Map<String, String> ambient, Initialization initialization) {
    var environment = new HashMap<>(LambdaEnvironment.of(function, ambient));
    environment.put("AWS_LAMBDA_INITIALIZATION_TYPE", initialization.value);
    environment.put("AWS_EXECUTION_ENV", "AWS_Lambda_java25");
    environment.put("AWS_LAMBDA_LOG_FORMAT", "JSON");
    environment.put("LAMBDA_TASK_ROOT", task.toString());
    environment.put("LANG", "en_US.UTF-8");
    environment.put("TZ", ":UTC");
    return environment;
  }

  private List<String> command(
      FunctionDefinition function, Initialization initialization, List<String> options) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    if (initialization == Initialization.ON_DEMAND) {
      // Only here, since Java 25 (AWS, "Customize Java runtime startup behavior").
      command.add("-XX:TieredStopAtLevel=1");
    }
    Collections.addAll(
        command,
        // What Lambda sets, as far as it is known.
        "-XX:MaxHeapSize=" + function.memoryMb() * 85 / 100 + "m",
        // How large the heap is at first the JVM takes from the memory there is: on Lambda, that
        // much.
        "-XX:MaxRAM=" + function.memoryMb() + "m",
        "-XX:+UseSerialGC",
        "-Xshare:auto",
        SNAPSHOT_HOOKS,
        // Not to be warned of the native part.
        "--enable-native-access=ALL-UNNAMED",
        "-D" + NATIVE_LIBRARY + "=" + nativeLibrary,
        "-classpath",
        jars + "/*",
        MAIN,
        function.handler());
    return command;
  }
}
