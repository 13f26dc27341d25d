package dev.connectorevents.emulator.dynamodb;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Provides the native library of sqlite4java, the storage of DynamoDB Local.
 *
 * <p>sqlite4java loads it only from the folder of its own jar or from the folder that a system
 * property names. The build copies the libraries into this module's resources.
 */
final class NativeSqlite {

  private static final String FOLDER = "sqlite4java.library.path";

  private NativeSqlite() {}

  /**
   * Unpacks this machine's library.
   *
   * @throws IllegalStateException when there is none for this kind of machine
   */
  static void provide() throws IOException {
    if (System.getProperty(FOLDER) != null) {
      return;
    }
    String name = name(System.getProperty("os.name"), System.getProperty("os.arch"));
    try (InputStream library = NativeSqlite.class.getResourceAsStream("/native/" + name)) {
      if (library == null) {
        throw new IllegalStateException(
            "DynamoDB Local has no native library for this kind of machine: " + name);
      }
      Path folder = Files.createTempDirectory("sqlite4java");
      folder.toFile().deleteOnExit();
      Path file = folder.resolve(name);
      file.toFile().deleteOnExit();
      Files.copy(library, file);
      System.setProperty(FOLDER, folder.toString());
    }
  }

  private static String name(String osName, String osArch) {
    String os = osName.toLowerCase(Locale.ROOT);
    if (os.startsWith("mac")) {
      return osArch.equals("aarch64")
          ? "libsqlite4java-osx-aarch64.dylib"
          : "libsqlite4java-osx.dylib";
    }
    return os.startsWith("windows")
        ? "sqlite4java-win32-x64.dll"
        : "libsqlite4java-linux-" + osArch + ".so";
  }
}
