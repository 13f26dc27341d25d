package dev.connectorevents.acceptance.runbooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import dev.connectorevents.emulator.template.Route;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The options of {@code operate/check}, and its references to the template and to the pages. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs bash")
class CheckUsageTest {

  private static final Path OPERATE = Path.of("../operate");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          everything   | 2 | operate/check: unknown word everything; operate/check --help shows the options
          --all        | 2 | operate/check: unknown option --all; there are --help, --port, --stack, --yes
          --stack dev  | 2 | operate/check: without a terminal, --yes is necessary
          """)
  void a_mistake_is_named(String arguments, int exitCode, String message) throws Exception {
    assertThat(bash("../operate/check " + arguments + " 2>&1 </dev/null"))
        .isEqualTo(new Result(exitCode, message + "\n"));
  }

  @Test
  void on_a_terminal_it_asks_before_it_calls_a_stack() throws Exception {
    String terminal =
        "python3 -c 'import pty; pty.spawn([\"../operate/check\", \"--stack\", \"x\"])'";

    assertThat(bash("echo n | " + terminal).output())
        .contains("Store three events in the stack x, and erase them? [y/N] ")
        .contains("operate/check: nothing is checked");
  }

  @Test
  void a_service_that_does_not_run_is_named_also_where_marks_cannot_be_printed() throws Exception {
    Result failed = bash("PYTHONIOENCODING=ascii ../operate/check --port 1");

    assertThat(failed.exitCode()).isOne();
    assertThat(failed.output())
        .containsPattern(
            "\nWRONG create users +0.0 s  local/serve does not answer on port 1; start it,")
        .containsPattern("\n- +log in +skipped: needs create users\n");
  }

  private static Result bash(String command) throws IOException, InterruptedException {
    CommandOnPath.assumeWorks("python3", "--version");
    return CommandOnPath.of("bash", "-c", command).run(Redirect.INHERIT);
  }

  @Test
  void it_knows_the_function_of_each_route() throws IOException {
    Pattern route = Pattern.compile("\"((?:GET|POST) /\\S+)\": \"(\\w+)\"");
    Map<String, String> functions =
        route
            .matcher(Files.readString(OPERATE.resolve("operators/api.py")))
            .results()
            .collect(Collectors.toMap(it -> it.group(1), it -> it.group(2)));

    assertThat(functions)
        .isEqualTo(
            Template.read(World.TEMPLATE, Map.of()).functions().stream()
                .flatMap(function -> function.routes().stream())
                .collect(Collectors.toMap(Route::key, Route::function)));
  }

  @Test
  void each_place_in_a_page_that_it_names_exists() throws IOException {
    String source = Files.readString(OPERATE.resolve("operators/causes.py"));
    List<MatchResult> places =
        Pattern.compile("\"(docs/[\\w-]+\\.md)#([\\w-]+)\"").matcher(source).results().toList();

    assertThat(places)
        .isNotEmpty()
        .allSatisfy(place ->
            assertThat(Files.readAllLines(Path.of("..").resolve(place.group(1))))
                .filteredOn(line -> line.startsWith("#"))
                .extracting(CheckUsageTest::anchor)
                .contains(place.group(2)));
  }

  private static String anchor(String heading) {
    return heading
        .replaceFirst("^#+ ", "")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\w -]", "")
        .replace(' ', '-');
  }
}
