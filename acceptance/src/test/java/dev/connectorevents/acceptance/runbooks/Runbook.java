package dev.connectorevents.acceptance.runbooks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.CommandOnPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A chapter of a page in docs/. Its commands call a service of the tests.
 *
 * @param folder the working directory of the commands
 */
record Runbook(World service, String text, Path folder) {

  private static final Path DOCS = Path.of("../docs");
  private static final Path OPERATE = Path.of("../operate").toAbsolutePath().normalize();

  /** Finds the chapter with this heading. The chapter ends at the next heading. */
  static Runbook of(World service, String heading, Path folder) throws IOException {
    Pattern chapter = Pattern.compile("(?ms)^#+ " + Pattern.quote(heading) + "\n(.*?)(?=^##|\\z)");
    List<String> found = new ArrayList<>();
    try (Stream<Path> pages = Files.list(DOCS)) {
      for (Path page : pages.filter(each -> each.toString().endsWith(".md")).toList()) {
        chapter.matcher(Files.readString(page)).results().forEach(it -> found.add(it.group(1)));
      }
    }
    assertThat(found).as(heading).hasSize(1);
    return new Runbook(service, found.getFirst(), folder);
  }

  /**
   * The chapter's commands that call {@code operate/user}, with this address in place of the
   * page's.
   */
  List<String> userCommands(String email) {
    return operatorCommands("user").stream()
        .map(line -> line.replace("shop@example.com", email))
        .toList();
  }

  /**
   * The chapter's lines that call this command in {@code local/}, with this service in place of the
   * page's stack.
   */
  List<String> operatorCommands(String name) {
    String target = OPERATE.resolve(name) + " --port " + service.baseUrl().getPort();
    return text.lines()
        .filter(line -> line.matches(" {4,}([A-Z_]+=\\$\\()?operate/" + name + " .*"))
        .map(line ->
            line.strip().replace("operate/" + name + " --stack connector-events-prod", target))
        .toList();
  }

  /** The command or script of the chapter that begins with this text. */
  String script(String beginning) {
    Matcher script =
        Pattern.compile("(?m)^ {4,}" + Pattern.quote(beginning) + ".*\n(    .*\n)*").matcher(text);
    assertThat(script.find()).as(beginning).isTrue();
    return script.group();
  }

  /** The chapter's Python script, in which {@code others} replace {@code values}. */
  String python(String values, String others) {
    Matcher script = Pattern.compile("(?s)```python\n(.*?)\n *```").matcher(text);
    assertThat(script.find()).isTrue();
    assertThat(script.group(1)).contains(values);
    return script.group(1).stripIndent().replace(values, others);
  }

  /** Runs a command in the shell, and returns its output. The command must succeed. */
  String run(String command) throws IOException, InterruptedException {
    return run("bash", "-c", command);
  }

  String run(String... command) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    ProcessBuilder builder =
        CommandOnPath.of(command)
            .process()
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().putAll(service.environment());
    builder
        .environment()
        .putAll(
            Map.of(
                "SECRET", service.name("SigningKeySecret"),
                "TABLE", service.name("UsersTable"),
                "FUNCTION", "ManageUsersFunction"));
    int exit = builder.start().waitFor();
    String text = Files.readString(output, UTF_8);
    assertThat(exit).as(text).isZero();
    return text;
  }

  /** The password that a command has printed; empty if it has printed none. */
  static String passwordIn(String output) {
    Matcher password = Pattern.compile("password +(\\S+)").matcher(output);
    return password.find() ? password.group(1) : "";
  }
}
