package dev.connectorevents.local;

import dev.connectorevents.emulator.CommandOnPath;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A fake AWS CLI: a script called {@code aws}.
 *
 * @param folder the script's folder, to be the first on the PATH. It also has a link to Python: if
 *     {@code python3} were a shim of pyenv, the shim would put another AWS CLI before this one
 */
public record FakeAws(Path folder) {

  private static @Nullable Path python;

  /** Writes the script {@code aws} into a folder. */
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

  /** These variables, and a PATH on which a command finds this AWS CLI first. */
  public Map<String, String> environment(Map<String, String> variables) {
    Map<String, String> environment = new HashMap<>(variables);
    environment.put("PATH", folder + ":" + System.getenv("PATH"));
    return environment;
  }
}
