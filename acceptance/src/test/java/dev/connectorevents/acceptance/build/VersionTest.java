package dev.connectorevents.acceptance.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Version;
import java.io.IOException;
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
    assertThat(Pattern.compile(pattern, Pattern.MULTILINE).matcher(text(page)).results())
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

  private static String text(String page) throws IOException {
    return Files.readString(ROOT.resolve(page));
  }
}
