package dev.connectorevents.emulator.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Writes files that only their owner may read, where the file system has POSIX permissions. */
public final class PrivateFile {
  private PrivateFile() {}

  /** Replaces the file atomically, or leaves it unchanged. */
  public static void replace(Path file, byte[] content) throws IOException {
    Path replacement = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(replacement);
    Set<StandardOpenOption> options =
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (FileChannel channel = FileChannel.open(replacement, options, attributes("rw-------"))) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(
        replacement, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Creates an empty file, unless it is there. In both cases only its owner may read it. */
  public static void create(Path file) throws IOException {
    if (Files.exists(file)) {
      allow(file, "rw-------");
    } else {
      Files.createFile(file, attributes("rw-------"));
    }
  }

  /** Sets POSIX permissions, where the file system has them. */
  static void allow(Path path, String permissions) throws IOException {
    if (hasPermissions()) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }
  }

  /**
   * The attribute of a new file or folder for these POSIX permissions, such as {@code rw-------};
   * none if the file system has no POSIX permissions.
   */
  static FileAttribute<?>[] attributes(String permissions) {
    return hasPermissions()
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  private static boolean hasPermissions() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  }
}
