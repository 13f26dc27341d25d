package dev.connectorevents.local;

import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Runs commands with a fake AWS CLI.
 *
 * @param folder the first one on the PATH. It also has Python: where {@code python3} is a shim of
 *     pyenv, the shim would put another AWS CLI before this one
 */
public record FakeAws(Path folder) {

  /** Makes the fake CLI in a folder, from the text of a script. */
  public static FakeAws in(Path folder, String script) throws IOException, InterruptedException {
    Path aws = folder.resolve("aws");
    Files.writeString(aws, script);
    Files.setPosixFilePermissions(aws, PosixFilePermissions.fromString("rwx------"));
    Path python = folder.resolve("python3");
    if (!Files.exists(python)) {
      Files.createSymbolicLink(python, Path.of(executable()));
    }
    return new FakeAws(folder);
  }

  private static String executable() throws IOException, InterruptedException {
    return CommandOnPath.of("python3", "-c", "import sys; print(sys.executable)")
        .run(Redirect.INHERIT)
        .output()
        .strip();
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
