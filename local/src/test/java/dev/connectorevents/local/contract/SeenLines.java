package dev.connectorevents.local.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Different lines that the tests of a build have seen. All processes of one build share a folder.
 */
public final class SeenLines {

  private final Path folder;
  private final Set<String> written = new HashSet<>();

  SeenLines(String kind) {
    folder = Path.of("../local/target", kind, System.getProperty("traffic.build", "alone"));
  }

  synchronized void add(String line) {
    if (written.add(line)) {
      try {
        Files.createDirectories(folder);
        Files.writeString(
            folder.resolve(ProcessHandle.current().pid() + ".txt"),
            line + "\n",
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The lines of all processes of this build. */
  public Set<String> ofAllTests() throws IOException {
    Set<String> all = new TreeSet<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path each : files.toList()) {
        all.addAll(Files.readAllLines(each));
      }
    }
    return all;
  }
}
