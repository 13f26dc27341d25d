package dev.connectorevents.emulator.data;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The directory of one running service, for its owner only. Locks out a second one. */
public record DataDirectory(Path path, FileChannel lock) implements AutoCloseable {

  private static final String LOCK = "lock";

  /**
   * Opens the directory, and creates it if necessary.
   *
   * @throws IOException when it cannot be used, or another service uses it
   */
  public static DataDirectory open(Path path) throws IOException {
    try {
      if (!Files.isDirectory(path)) {
        Files.createDirectories(path, PrivateFile.attributes("rwx------"));
      } else if (Files.exists(path.resolve(LOCK))) { // not a folder that has other things too
        PrivateFile.allow(path, "rwx------");
      }
      PrivateFile.create(path.resolve(LOCK));
      return new DataDirectory(path, locked(path));
    } catch (FileSystemException e) {
      throw new IOException(
          "the data directory " + path + " cannot be used: " + PathTrouble.of(e), e);
    }
  }

  // The operating system releases the lock when the process ends, even by a crash.
  @SuppressWarnings("MustBeClosedChecker") // close() closes it
  private static FileChannel locked(Path path) throws IOException {
    FileChannel channel = FileChannel.open(path.resolve(LOCK), StandardOpenOption.WRITE);
    boolean isLocked;
    try {
      isLocked = channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      isLocked = false;
    }
    if (!isLocked) {
      channel.close();
      throw new IOException("the data directory " + path + " is in use by another service");
    }
    return channel;
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
