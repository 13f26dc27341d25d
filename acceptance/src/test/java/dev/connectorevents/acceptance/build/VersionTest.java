package dev.connectorevents.acceptance.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.connectorevents.Version;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VersionTest {

  private static final Path ROOT = Path.of("..");

  @ParameterizedTest
  @CsvSource({
    "CHANGELOG.md, '^## (\\d\\S+) \\(\\d{4}-\\d\\d-\\d\\d\\)$'",
    "README.md, 'version (\\d\\S+) has run'",
    "docs/openapi.yaml, '^  version: (\\S+)$'",
  })
  void a_page_has_the_version_of_the_build(String page, String pattern) throws IOException {
    assertThat(
            Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(Files.readString(ROOT.resolve(page)))
                .results())
        .first()
        .extracting(version -> version.group(1))
        .isEqualTo(Version.CURRENT);
  }

  @Test
  void every_pom_has_it() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT, 3)) {
      for (Path pom : files.filter(file -> file.endsWith("pom.xml")).toList()) {
        assertThat(Files.readString(pom)).contains("<version>" + Version.CURRENT + "</version>");
      }
    }
  }

  @Test
  void the_build_knows_the_commit_that_last_changed_what_is_deployed() throws Exception {
    Result last =
        CommandOnPath.of(
                "git",
                "-C",
                "..",
                "log",
                "-1",
                "--format=%h",
                "--abbrev=12",
                "--",
                "pom.xml",
                "shared",
                "functions",
                ":(exclude)*/src/test/*")
            .run(Redirect.INHERIT);
    assumeTrue(last.exitCode() == 0, "there is no git here");

    assertThat(Version.COMMIT).contains(last.output().strip());
  }
}
