package dev.connectorevents.local.runtime;

import dev.connectorevents.local.lambda.LambdaEnvironment;
import dev.connectorevents.local.template.FunctionDefinition;
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
 * Lambda's Java runtime with one deployment package, ready to start the functions in it.
 *
 * @param jars the runtime's own
 * @param nativeLibrary the part of it that speaks HTTP
 * @param task what is /var/task on Lambda: classes, and jars in lib/
 */
public record LambdaRuntime(Path jars, Path nativeLibrary, Path task) {
  private static final String MAIN = "com.amazonaws.services.lambda.runtime.api.client.AWSLambda";
  private static final String MAIN_JAR = "aws-lambda-java-runtime-interface-client.jar";
  private static final String SNAPSHOT_HOOKS = "com.amazonaws.services.lambda.crac";
  private static final String NATIVE_LIBRARY =
      "com.amazonaws.services.lambda.runtime.api.client.runtimeapi.NativeClient.JNI";

  /**
   * With the zip that this build made.
   *
   * @param folder empty, for its content
   */
  public static LambdaRuntime unpack(Path folder) throws IOException {
    var jars = Path.of("target", "lambda-runtime");
    return unpack(Path.of("../functions/target/functions.zip"), jars, folder);
  }

  /**
   * With any package, unpacked as Lambda does it.
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

  /**
   * Starts a function in a process of its own.
   *
   * @param ambient variables for where it runs: the region, the credentials, the endpoints
   */
  public FunctionProcess start(FunctionDefinition function, Map<String, String> ambient)
      throws IOException {
    return start(function, ambient, "on-demand", List.of());
  }

  /**
   * Starts a function as SnapStart does: it stops where Lambda takes the snapshot.
   *
   * @param classes a file for the names of all the classes that it loads
   */
  public FunctionProcess startForSnapshot(
      FunctionDefinition function, Map<String, String> ambient, Path classes) throws IOException {
    return start(function, ambient, "snap-start", List.of("-Xlog:class+load:file=" + classes));
  }

  private FunctionProcess start(
      FunctionDefinition function,
      Map<String, String> ambient,
      String initializationType,
      List<String> options)
      throws IOException {
    var environment = new HashMap<>(LambdaEnvironment.of(function, ambient));
    environment.put("AWS_LAMBDA_INITIALIZATION_TYPE", initializationType);
    environment.put("AWS_EXECUTION_ENV", "AWS_Lambda_java25");
    environment.put("AWS_LAMBDA_LOG_FORMAT", "JSON");
    environment.put("LAMBDA_TASK_ROOT", task.toString());
    environment.put("LANG", "en_US.UTF-8");
    environment.put("TZ", ":UTC");
    return new FunctionProcess(function, command(function, options), environment, task);
  }

  private List<String> command(FunctionDefinition function, List<String> options) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    Collections.addAll(
        command,
        // What Lambda sets, as far as it is known.
        "-XX:MaxHeapSize=" + function.memoryMb() * 85 / 100 + "m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Xshare:auto",
        // Not to be warned of the native part.
        "--enable-native-access=ALL-UNNAMED",
        "-D" + NATIVE_LIBRARY + "=" + nativeLibrary,
        "-Dorg.crac.Core.Compat=" + SNAPSHOT_HOOKS,
        "-classpath",
        jars + "/*",
        MAIN,
        function.handler());
    return command;
  }
}
