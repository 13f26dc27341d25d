package dev.connectorevents.acceptance.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.emulator.CommandOnPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;

/**
 * The packages that tests run on Node. No test fetches them: npm does, before the build, and checks
 * the hash of each.
 */
public final class NodePackages {

  private static final Path FOLDER = Path.of("node").toAbsolutePath();

  private NodePackages() {}

  /**
   * The path of a package's command. Skips the test, unless just the packages are installed that
   * {@code package-lock.json} names.
   */
  public static String command(String name) throws IOException, InterruptedException {
    CommandOnPath.assumeWorks("node", "--version");
    Path installed = FOLDER.resolve("node_modules/.package-lock.json"); // npm writes it
    boolean isInstalled = Files.exists(installed) && hashes(installed).equals(hashes(lockFile()));
    Assumptions.assumeTrue(
        isInstalled, "run `npm ci --ignore-scripts --prefix acceptance/node` for this test");
    return FOLDER.resolve("node_modules/.bin").resolve(name).toString();
  }

  public static Path lockFile() {
    return FOLDER.resolve("package-lock.json");
  }

  /** The hash of each package, by its place. */
  public static Map<String, String> hashes(Path lockFile) throws IOException {
    Map<String, String> hashes = new TreeMap<>();
    for (Map.Entry<String, JsonNode> each :
        new ObjectMapper().readTree(lockFile.toFile()).get("packages").properties()) {
      if (!each.getKey().isEmpty()) { // that is the project itself
        hashes.put(each.getKey(), each.getValue().path("integrity").asText());
      }
    }
    return hashes;
  }
}
