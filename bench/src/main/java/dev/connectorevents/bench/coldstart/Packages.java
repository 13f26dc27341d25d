package dev.connectorevents.bench.coldstart;

import dev.connectorevents.bench.peers.HelloEvent;
import dev.connectorevents.local.runtime.LambdaRuntime;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is deployed, unpacked as on Lambda: our zip, and for each peer its classes with jars in lib/
 * beside them.
 */
final class Packages {

  private final Path folder;
  private final Path zip;
  private final LambdaRuntime ours;

  /**
   * @param root of the project, which is built
   * @param folder empty
   */
  Packages(Path root, Path folder) throws IOException {
    this.folder = folder;
    zip = root.resolve("functions/target/functions.zip");
    Path jars = root.resolve("local/target/lambda-runtime");
    ours = LambdaRuntime.unpack(zip, jars, Files.createDirectory(folder.resolve("ours")));
  }

  /** The functions, as they are deployed. */
  LambdaRuntime ours() {
    return ours;
  }

  /** Of the zip, in bytes. */
  long zipBytes() throws IOException {
    return Files.size(zip);
  }

  /** The peers with the functions' own jar. */
  LambdaRuntime peersOnOurs() throws IOException {
    try (Stream<Path> jars = Files.list(ours.task().resolve("lib"))) {
      return peers("on-ours", jars.toList());
    }
  }

  /** The peers with jars of the bench's own class path. */
  LambdaRuntime peers(Libraries libraries) throws IOException {
    return peers(
        libraries.name(),
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(Path::of)
            .filter(libraries::contain)
            .toList());
  }

  private LambdaRuntime peers(String name, List<Path> jars) throws IOException {
    Path task = folder.resolve(name);
    if (Files.exists(task)) {
      return ours.with(task);
    }
    Path lib = Files.createDirectories(task.resolve("lib"));
    for (Path jar : jars) {
      Files.createSymbolicLink(lib.resolve(jar.getFileName()), jar.toAbsolutePath());
    }
    copyPeers(task);
    return ours.with(task);
  }

  private static void copyPeers(Path task) throws IOException {
    Path inside = Path.of(HelloEvent.class.getPackageName().replace('.', '/'));
    Files.createDirectories(task.resolve(inside));
    try (Stream<Path> classes = Files.list(ownClasses().resolve(inside))) {
      for (Path file : classes.toList()) {
        Files.copy(file, task.resolve(inside).resolve(file.getFileName()));
      }
    }
  }

  private static Path ownClasses() {
    try {
      return Path.of(HelloEvent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the bench does not know where its classes are", e);
    }
  }

  /** Of all files of a package as they lie there, in bytes. */
  static long bytes(LambdaRuntime runtime) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.walk(runtime.task())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }
}
