package dev.connectorevents.bench.coldstart;

import dev.connectorevents.bench.peers.HelloEvent;
import dev.connectorevents.emulator.runtime.LambdaRuntime;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/** Unpacks the deployment package of our functions, and selects the jars of the peers' packages. */
final class Deployments {

  /**
   * An unpacked package, as on Lambda.
   *
   * @param codeBytes the size of the zip; for most peers, the size of their jars
   */
  record Deployment(LambdaRuntime runtime, long codeBytes) {

    /** Whether our jar in the package has this function's class: an older build may lack it. */
    boolean has(FunctionDefinition function) throws IOException {
      String entry = function.handler().replace('.', '/') + ".class";
      try (ZipFile jar = new ZipFile(ourJar(runtime).toFile())) {
        return jar.getEntry(entry) != null;
      }
    }
  }

  // Jars of the bench's own class path, selected by their folders.
  private static final String EVENTS = "aws-lambda-java-core|aws-lambda-java-events|joda-time";
  private static final String SDK =
      EVENTS + "|awssdk|eventstream|reactivestreams|slf4j|jackson/core";

  // Jars that no peer needs: jars that only the bench needs, and HTTP clients that no peer uses.
  private static final String OTHERS =
      "apache5-client|netty-nio-client|cognitoidentity|cognitoidentityprovider|dynamodb-enhanced"
          + "|pinpoint|secretsmanager";

  final Deployment ours;
  final Optional<Deployment> other;
  private final Path root;
  private final Path folder;

  /**
   * @param folder an empty folder for the unpacked packages
   * @param otherZip the zip of another build of the functions, to compare with
   */
  Deployments(Path root, Path folder, Optional<Path> otherZip) throws IOException {
    this.root = root;
    this.folder = folder;
    ours = unpacked(root.resolve("functions/target/functions.zip"), "ours");
    other =
        otherZip.isPresent() ? Optional.of(unpacked(otherZip.get(), "other")) : Optional.empty();
  }

  private Deployment unpacked(Path zip, String name) throws IOException {
    Path jars = root.resolve("emulator/target/lambda-runtime");
    Path unpacked = Files.createDirectory(folder.resolve(name));
    return new Deployment(LambdaRuntime.unpack(zip, jars, unpacked), Files.size(zip));
  }

  /** The peers with the service's own jar. */
  Deployment peersOnOurs() throws IOException {
    return new Deployment(peers("on-ours", List.of(ourJar(ours.runtime))).runtime, ours.codeBytes);
  }

  private static Path ourJar(LambdaRuntime runtime) {
    return runtime.task().resolve("lib/functions.jar");
  }

  /** The peers with the library of Lambda's event objects, without the SDK. */
  Deployment events() throws IOException {
    return peers("events", EVENTS, OTHERS);
  }

  /** The peers with the SDK and its smallest HTTP client, based on {@code HttpURLConnection}. */
  Deployment urlConnection() throws IOException {
    return peers("url-connection", SDK, OTHERS + "|aws-crt-client|aws-crt|crt-core");
  }

  /** The peers with the SDK and CRT, an HTTP client in native code. */
  Deployment crt() throws IOException {
    return peers("crt", SDK, OTHERS + "|url-connection-client");
  }

  private Deployment peers(String name, String included, String excluded) throws IOException {
    Pattern chosen = Pattern.compile("^(?!.*/(" + excluded + ")/).*/(" + included + ")/");
    String[] classPath = System.getProperty("java.class.path").split(File.pathSeparator, -1);
    return peers(name, Stream.of(classPath).filter(chosen.asPredicate()).map(Path::of).toList());
  }

  private Deployment peers(String name, List<Path> jars) throws IOException {
    Path task = folder.resolve(name);
    if (Files.notExists(task)) {
      Path peers = Path.of(HelloEvent.class.getPackageName().replace('.', '/'));
      Files.createDirectories(task.resolve(peers).getParent());
      Path classes = root.resolve("bench/target/classes").toAbsolutePath();
      Files.createSymbolicLink(task.resolve(peers), classes.resolve(peers));
      Path lib = Files.createDirectory(task.resolve("lib"));
      for (Path jar : jars) {
        Files.createSymbolicLink(lib.resolve(jar.getFileName()), jar.toAbsolutePath());
      }
    }
    long bytes = jars.stream().mapToLong(jar -> jar.toFile().length()).sum();
    return new Deployment(ours.runtime.with(task), bytes);
  }
}
