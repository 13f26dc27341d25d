package dev.connectorevents.acceptance.build;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The build pins its tools, so that nobody can replace one unnoticed. */
class PinnedToolsTest {

  private static final Path GITHUB = Path.of("../.github");

  /** A command that fetches a program or a package. */
  private static final Predicate<String> FETCHES =
      Pattern.compile(
              "\\b(npx|npm (ci|i|install|add|exec)|pip3? install|pipx|uvx|pnpm|yarn|docker (pull|run)"
                  + "|go install|cargo install|gem install|apt(-get)? install|brew install)\\b"
                  + "|(curl|wget) .*https://.*\\| *(ba)?sh\\b")
          .asPredicate();

  private static final List<String> BY_LISTS =
      List.of(
          "pip install --no-deps -r .github/requirements.txt && pip check",
          "npm ci --prefix acceptance/node");

  @TempDir private Path home;

  @Test
  void a_workflow_names_each_action_by_its_commit_and_its_version() throws IOException {
    assertThat(steps(line -> line.contains("uses:")))
        .hasSizeGreaterThan(5)
        .allMatch(
            line -> line.matches(".* uses: [\\w-]+/[\\w-]+@[0-9a-f]{40} # v\\d+\\.\\d+\\.\\d+"));
  }

  /** Not the wrapper of Maven, which has a test of its own, and no page, which no build runs. */
  @Test
  void whatever_a_build_runs_fetches_packages_by_their_list_and_no_others() throws IOException {
    List<String> fetching = new ArrayList<>();
    try (Stream<Path> files = Files.walk(Path.of(".."))) {
      for (Path file : files.filter(PinnedToolsTest::isRun).toList()) {
        Files.readString(file, ISO_8859_1).lines().filter(FETCHES).forEach(fetching::add);
      }
    }

    assertThat(fetching)
        .contains("      - run: " + BY_LISTS.getFirst(), "      - run: " + BY_LISTS.getLast())
        .noneMatch(line ->
            FETCHES.test(BY_LISTS.stream().reduce(line, (rest, each) -> rest.replace(each, ""))));
  }

  private static boolean isRun(Path file) {
    String path = file.toString().replace('\\', '/');
    return Files.isRegularFile(file)
        && !path.matches(
            "\\.\\./(\\.git|mvnw.*|docs)(/.*)?|.*/(target|node_modules|node|\\.cifuzz-corpus)/.*")
        && !path.matches(".*\\.(md|png|svg|txt)|.*/dependabot\\.yml|.*/PinnedToolsTest\\.java");
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

  /** A new boto3 needs a new botocore. An update of only one of them cannot be installed. */
  @Test
  void the_python_packages_are_updated_together() throws IOException {
    assertThat(Files.readString(GITHUB.resolve("dependabot.yml")))
        .containsPattern(
            "package-ecosystem: pip\n(?s:(?!package-ecosystem).)*groups:.*\n"
                + " +python:\n +patterns: \\[\"\\*\"]");
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
