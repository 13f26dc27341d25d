package dev.connectorevents.emulator.data;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** The directory of one running service; a second one is kept out of it. */
public final class DataDirectory implements AutoCloseable {
  private final Path path;
  private final FileChannel lock;

  private DataDirectory(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Opens it, and makes it when it is not there.
   *
   * @throws IOException when it cannot be used, or another service runs on it, saying so
   */
  public static DataDirectory open(Path path) throws IOException {
    try {
      return locked(path);
    } catch (FileSystemException e) {
      throw new IOException(
          "the data directory " + path + " cannot be used: " + PathTrouble.of(e), e);
    }
  }

  @SuppressWarnings("MustBeClosedChecker") // held open for as long as the service runs
  private static DataDirectory locked(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      Files.createDirectories(path, PrivateFile.attributes("rwx------"));
    }
    var channel =
        FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (lock(channel) == null) {
      channel.close();
      throw new IOException("the data directory " + path + " is in use by another service");
    }
    return new DataDirectory(path, channel);
  }

  // The operating system lets go of the lock when the process ends, however it ends.
  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
