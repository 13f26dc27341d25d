package dev.connectorevents.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.CommandOnPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the script {@code local/serve} in a folder that looks like a new clone. A fake Maven builds
 * nothing. A fake {@code java} runs nothing. The test of the arguments also uses the real {@code
 * java}, which runs {@code CommandLine}.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "it is a bash script")
@SuppressWarnings("NullAway.Init")
class LauncherTest {

  private static final String MAVEN =
      """
      #!/usr/bin/env bash
      echo "$@" >>arguments
      module() {
        echo "[INFO] ---------------< dev.connectorevents:$1 >---------------"
        echo "[INFO] Building Connector Events: $1 0.1.0-SNAPSHOT           [$2/4]"
        sleep "${MODULE_SECONDS:-0}"
      }
      module connector-events 1
      module shared 2
      module functions 3
      if [[ -n "${BREAKS:-}" ]]; then
        echo "[ERROR] Broken.java:[1,2] ';' expected"
        exit 1
      fi
      module local 4
      printf %s "$CLASS_PATH" >local/target/classpath.txt
      """;

  /** A fake {@code java}: prints the class that it would run. */
  private static final String JAVA =
      """
      #!/usr/bin/env bash
      for word in "$@"; do
        [[ $word == dev.connectorevents.* ]] && echo "runs $word"
      done
      exit 0
      """;

  private static final String RUNS = "runs dev.connectorevents.local.Serve\n";

  @TempDir private Path clone;

  @BeforeEach
  void makeClone() throws IOException {
    String commandLine = "src/main/java/dev/connectorevents/local/CommandLine.java";
    copy(Path.of(commandLine), "local/" + commandLine);
    copy(Path.of("serve"), "local/serve");
    write("jdk/bin/java", JAVA);
    useJdk(clone.resolve("jdk"));
    write("mvnw", MAVEN);
    write("pom.xml", "");
  }

  @Test
  void arguments_are_checked_before_any_build_as_they_are_after_it() throws Exception {
    Ended usage = new Ended(0, CommandLine.USAGE, "");
    Ended mistake =
        new Ended(
            2,
            "",
            """
            local/serve: --port needs a number from 0 to 65533, not x
            local/serve --help lists the options.
            """);

    useJdk(Path.of(System.getProperty("java.home")));
    assertThat(run(command("--help"))).isEqualTo(usage);
    assertThat(run(command("--port=x"))).isEqualTo(mistake);
    assertThat(builds()).isEmpty();

    useJdk(clone.resolve("jdk"));
    run(command());
    useJdk(Path.of(System.getProperty("java.home")));
    assertThat(run(command("--help"))).isEqualTo(usage);
    assertThat(run(command("--port=x"))).isEqualTo(mistake);
    assertThat(builds()).hasSize(1);
  }

  @Test
  void a_build_is_a_line_for_each_module_and_is_not_repeated() throws Exception {
    Ended first = run(command());
    assertThat(first.errors)
        .matches(
            """
            building 1/3 shared
            building 2/3 functions
            building 3/3 local
            built in \\d+ s
            """);
    assertThat(first.output).isEqualTo(RUNS);
    assertThat(builds()).containsExactly("-B -ntp -Dserve -pl local -am process-classes");

    assertThat(run(command())).isEqualTo(new Ended(0, RUNS, ""));
    assertThat(builds()).hasSize(1);
  }

  /**
   * A deletion changes the folder. Of a build of one module, only that module's classes are new.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "pom.xml",
        "functions/src/main/java/A.java",
        "functions/src/main/java",
        "shared/target/classes/A.class",
        "emulator/target/classes/A.class"
      })
  void after_another_build_it_builds_only_what_has_changed_since(String changed) throws Exception {
    buildAll();
    assertThat(run(command())).isEqualTo(new Ended(0, RUNS, ""));
    assertThat(builds()).isEmpty();

    Files.setLastModifiedTime(clone.resolve(changed), FileTime.from(Instant.now()));
    run(command());
    assertThat(builds()).hasSize(1);
  }

  @Test
  void a_copied_tree_builds_once_and_runs_its_own_classes() throws Exception {
    buildAll();
    write("local/target/serve.stamp", "/another/tree\n");
    write("jdk/bin/java", JAVA.replace("runs $word", "$*"));

    Ended first = run(command());
    run(command());

    assertThat(builds()).hasSize(1);
    assertThat(first.output)
        .contains(
            " -cp %1$s/local/target/classes:%1$s/functions/target/classes:%1$s/shared/target/classes:%1$s/emulator/target/classes:"
                .formatted(clone.toRealPath()));
  }

  /** As Maven does, one module after the other; all of it a minute ago or more. */
  private void buildAll() throws IOException {
    Instant time = Instant.now().minusSeconds(3600);
    Files.setLastModifiedTime(clone.resolve("pom.xml"), FileTime.from(time));
    for (String module : List.of("emulator", "shared", "functions", "local")) {
      write(module + "/pom.xml", "");
      write(module + "/src/main/java/A.java", "");
      write(module + "/target/classes/A.class", "");
      try (Stream<Path> sources = Files.walk(clone.resolve(module))) {
        for (Path source : sources.toList()) {
          Files.setLastModifiedTime(source, FileTime.from(time));
        }
      }
      Path compiled = clone.resolve(module + "/target/classes/A.class");
      time = time.plusSeconds(60);
      Files.setLastModifiedTime(compiled, FileTime.from(time));
    }
    write("local/target/classpath.txt", System.getProperty("java.class.path"));
  }

  @Test
  void on_a_terminal_a_build_is_one_line_that_moves() throws Exception {
    CommandOnPath.assumeWorks("script", "-qec", "true", "/dev/null");
    ProcessBuilder command =
        new ProcessBuilder("script", "-qec", clone + "/local/serve", "/dev/null");
    command.environment().putAll(Map.of("MODULE_SECONDS", "1"));

    Ended serve = run(command);

    assertThat(serve.output)
        .containsPattern("\r\033\\[Kbuilding [123]/3 (shared|functions|local) ... \\d+ s\r")
        .containsPattern("\r\033\\[Kbuilt in \\d+ s\r?\n")
        .doesNotContainPattern("building[^\r]*\n");
  }

  @Test
  void a_build_that_fails_names_its_log() throws Exception {
    ProcessBuilder command = command("--port=0");
    command.environment().put("BREAKS", "yes");

    Ended serve = run(command);

    Path log = clone.resolve("local/target/serve-build.log");
    assertThat(serve.errors)
        .contains("building 2/3 functions\n", "[ERROR] Broken.java:[1,2] ';' expected\n")
        .containsPattern("the build failed after \\d+ s; Maven's log is " + log + "\n")
        .doesNotContain("building 3/3");
    assertThat(log).content().contains("dev.connectorevents:functions", "[ERROR] Broken.java");
    assertThat(serve.exitCode).isEqualTo(1);
  }

  @Test
  void it_runs_through_a_symbolic_link_and_calls_this_machine_without_a_proxy() throws Exception {
    run(command());
    write("jdk/bin/java", "#!/bin/sh\necho \"directly: $no_proxy $NO_PROXY\"\n");
    Path link = Files.createSymbolicLink(clone.resolve("link"), clone.resolve("local/serve"));
    ProcessBuilder command = new ProcessBuilder(link.toString());
    command.environment().remove("no_proxy");
    command.environment().put("NO_PROXY", "example.com");

    String bypass = "localhost,127.0.0.1,example.com";
    assertThat(run(command))
        .isEqualTo(new Ended(0, "directly: %s %s\n".formatted(bypass, bypass), ""));
  }

  private void useJdk(Path jdk) throws IOException {
    write("local/find-jdk", "#!/bin/sh\necho '" + jdk + "'\n");
  }

  private ProcessBuilder command(String... arguments) {
    List<String> words = new ArrayList<>(List.of(clone.resolve("local/serve").toString()));
    words.addAll(List.of(arguments));
    return new ProcessBuilder(words);
  }

  private record Ended(int exitCode, String output, String errors) {}

  private Ended run(ProcessBuilder command) throws IOException, InterruptedException {
    Path errors = clone.resolve("errors");
    command.redirectError(errors.toFile());
    command.environment().put("CLASS_PATH", System.getProperty("java.class.path"));
    Process process = command.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Ended(process.waitFor(), output, Files.readString(errors));
  }

  private List<String> builds() throws IOException {
    Path arguments = clone.resolve("arguments");
    return Files.exists(arguments) ? Files.readAllLines(arguments) : List.of();
  }

  private void copy(Path file, String name) throws IOException {
    write(name, Files.readString(file));
  }

  private void write(String name, String text) throws IOException {
    Path file = clone.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
