package dev.connectorevents.local;

import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * Runs commands with a fake AWS CLI.
 *
 * @param folder the first one on the PATH. It also has Python: where {@code python3} is a shim of
 *     pyenv, the shim would put another AWS CLI before this one
 */
public record FakeAws(Path folder) {

  private static @Nullable Path python;

  /** Makes the fake CLI in a folder, from the text of a script. */
  public static FakeAws in(Path folder, String script) throws IOException, InterruptedException {
    Path aws = folder.resolve("aws");
    Files.writeString(aws, script);
    Files.setPosixFilePermissions(aws, PosixFilePermissions.fromString("rwx------"));
    Path link = folder.resolve("python3");
    if (!Files.exists(link)) {
      Files.createSymbolicLink(link, python());
    }
    return new FakeAws(folder);
  }

  private static Path python() throws IOException, InterruptedException {
    if (python == null) {
      String print = "import sys; print(sys.executable)";
      python =
          Path.of(CommandOnPath.of("python3", "-c", print).run(Redirect.INHERIT).output().strip());
    }
    return python;
  }

  /** Runs a command in bash; its errors are part of its output. */
  Result run(String command) throws IOException, InterruptedException {
    return CommandOnPath.of("bash", "-c", "PATH='%s':$PATH; %s 2>&1".formatted(folder, command))
        .run(Redirect.INHERIT);
  }

  /** As {@link #run}, but with no AWS CLI at all. */
  Result runWithoutAws(String command) throws IOException, InterruptedException {
    Files.delete(folder.resolve("aws"));
    return CommandOnPath.of("bash", "-c", "PATH='%s'; %s 2>&1".formatted(folder, command))
        .run(Redirect.INHERIT);
  }
}
