package dev.connectorevents.acceptance.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.NodePackages;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.LoopbackServer;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The build pins its tools, so that nobody can replace one unnoticed. */
class PinnedToolsTest {

  private static final Path GITHUB = Path.of("../.github");

  @TempDir private Path home;

  @Test
  void a_workflow_names_each_action_by_its_commit_and_its_version() throws IOException {
    assertThat(steps(line -> line.contains("uses:")))
        .hasSizeGreaterThan(5)
        .allMatch(
            line -> line.matches(".* uses: [\\w-]+/[\\w-]+@[0-9a-f]{40} # v\\d+\\.\\d+\\.\\d+"));
  }

  @Test
  void a_workflow_installs_packages_by_their_lists_alone() throws IOException {
    assertThat(steps(line -> line.matches(".*\\b(install|npm|npx|curl|wget)\\b.*")))
        .extracting(String::strip)
        .containsOnly(
            "- run: pip install --no-deps -r .github/requirements.txt && pip check",
            "- run: npm ci --ignore-scripts --prefix acceptance/node");
  }

  @Test
  void the_lists_name_exact_versions() throws IOException {
    List<String> python = Files.readAllLines(GITHUB.resolve("requirements.txt"));
    assertThat(python.stream().filter(line -> !line.startsWith("#")))
        .isNotEmpty()
        .allMatch(line -> line.matches("[a-z0-9-]+==[0-9][0-9a-z.]*"));

    Path node = NodePackages.lockFile();
    assertThat(NodePackages.hashes(node).values())
        .isNotEmpty()
        .allMatch(hash -> hash.startsWith("sha512-"));
    assertThat(Files.readString(node)).doesNotContain("\"resolved\""); // from any registry
  }

  private static List<String> steps(Predicate<String> wanted) throws IOException {
    List<String> lines = new ArrayList<>();
    try (DirectoryStream<Path> workflows = Files.newDirectoryStream(GITHUB.resolve("workflows"))) {
      for (Path workflow : workflows) {
        lines.addAll(Files.readAllLines(workflow));
      }
    }
    return lines.stream().filter(wanted).toList();
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "it runs the wrapper's shell script")
  void the_wrapper_refuses_a_maven_that_is_not_the_published_one() throws Exception {
    CommandOnPath.assumeWorks("unzip", "-v");
    try (LoopbackServer repository =
        LoopbackServer.answering(exchange -> HttpAnswer.json(200, "{}").send(exchange))) {
      ProcessBuilder wrapper = new ProcessBuilder("../mvnw", "--version").redirectErrorStream(true);
      wrapper.environment().put("MAVEN_USER_HOME", home.toString());
      wrapper.environment().put("MVNW_REPOURL", repository.endpoint().toString());

      Process process = wrapper.start();

      assertThat(process.inputReader().lines())
          .anyMatch(line -> line.contains("Failed to validate"));
      assertThat(process.waitFor()).isEqualTo(1);
    }
  }
}
