package dev.connectorevents.acceptance.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks our shell scripts with shellcheck. Skipped if shellcheck is not installed. */
class ShellCheckTest {

  private static final Path ROOT = Path.of("..");

  /** The first line of our scripts. The Maven wrapper is not ours, and begins with another line. */
  private static final String FIRST_LINE = "#!/usr/bin/env bash";

  private static final Set<String> NOT_OURS = Set.of("target", ".git", "node_modules");

  @TempDir private Path directory;

  @BeforeEach
  void find() throws IOException, InterruptedException {
    CommandOnPath.assumeWorks("shellcheck", "--version");
  }

  @Test
  void every_script_is_without_findings() throws IOException, InterruptedException {
    List<Path> scripts = scripts();

    assertThat(scripts)
        .contains(
            ROOT.resolve(".ci/run"),
            ROOT.resolve("bench/run"),
            ROOT.resolve("bench/load/run"),
            ROOT.resolve("local/find-jdk"),
            ROOT.resolve("local/serve"));
    assertThat(check(scripts)).isEqualTo(new Result(0, ""));
  }

  @Test
  void a_finding_of_any_severity_counts() throws IOException, InterruptedException {
    Path script = directory.resolve("script");
    Files.writeString(script, FIRST_LINE + "\necho $1\n");

    Result result = check(List.of(script));
    assertThat(result.exitCode()).isNotZero();
    assertThat(result.output()).contains("SC2086");
  }

  private static Result check(List<Path> scripts) throws IOException, InterruptedException {
    String[] command =
        Stream.concat(
                Stream.of("shellcheck", "--norc", "--format=gcc"),
                scripts.stream().map(Path::toString))
            .toArray(String[]::new);
    return CommandOnPath.of(command).run(Redirect.INHERIT);
  }

  /** All our bash scripts. */
  private static List<Path> scripts() throws IOException {
    List<Path> scripts = new ArrayList<>();
    FileVisitor<Path> visitor =
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return NOT_OURS.contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile() && isScript(file)) {
              scripts.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        };
    Files.walkFileTree(ROOT, visitor);
    return scripts;
  }

  private static boolean isScript(Path file) {
    // Some files are not text. Latin-1 can decode any bytes.
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      return FIRST_LINE.equals(reader.readLine());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
