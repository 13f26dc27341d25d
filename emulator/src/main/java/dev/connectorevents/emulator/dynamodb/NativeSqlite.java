package dev.connectorevents.emulator.dynamodb;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Locale;

/**
 * Gives sqlite4java, which DynamoDB Local stores with, its native library.
 *
 * <p>sqlite4java looks for it only beside its own jar and in the directory that one system property
 * names, while the libraries come as Maven artifacts of their own; the build puts them into this
 * module's resources.
 */
final class NativeSqlite {
  private static final String DIRECTORY = "sqlite4java.library.path";

  private NativeSqlite() {}

  /**
   * Unpacks this machine's library.
   *
   * @throws IllegalStateException when there is none for this kind of machine
   */
  static void provide() throws IOException {
    if (System.getProperty(DIRECTORY) != null) {
      return;
    }
    var name = name(System.getProperty("os.name"), System.getProperty("os.arch"));
    try (var library = NativeSqlite.class.getResourceAsStream("/native/" + name)) {
      if (library == null) {
        throw new IllegalStateException(
            "DynamoDB Local has no native library for this kind of machine: " + name);
      }
      var directory = Files.createTempDirectory("sqlite4java");
      directory.toFile().deleteOnExit();
      var file = directory.resolve(name);
      file.toFile().deleteOnExit();
      Files.copy(library, file);
      System.setProperty(DIRECTORY, directory.toString());
    }
  }

  static String name(String osName, String osArch) {
    var os = osName.toLowerCase(Locale.ROOT);
    if (os.startsWith("mac")) {
      return osArch.equals("aarch64")
          ? "libsqlite4java-osx-aarch64.dylib"
          : "libsqlite4java-osx.dylib";
    }
    if (os.startsWith("windows")) {
      return osArch.equals("amd64") ? "sqlite4java-win32-x64.dll" : "sqlite4java-win32-x86.dll";
    }
    return "libsqlite4java-linux-" + osArch + ".so";
  }
}
