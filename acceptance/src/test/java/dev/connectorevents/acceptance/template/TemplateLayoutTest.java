package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.emulator.template.Route;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The template is easy to read: it has a table of contents, a route takes few lines, and every
 * output is in use.
 */
class TemplateLayoutTest {

  private static final int MAX_LINES = 35;

  /**
   * The function that may take more lines, because only login reads password hashes and counts
   * failures in a table of its own.
   */
  private static final String LOGIN = "LoginFunction";

  @Test
  void the_contents_name_every_part_in_its_order() throws IOException {
    String text = Files.readString(World.TEMPLATE);
    String contents = text.substring(0, text.indexOf("\n\n"));

    assertThat(names("^#   ( *)(\\S+( \\S+)*)", contents))
        .isNotEmpty()
        .isEqualTo(names("^( *)# ---- (.+?) -+$", text));
  }

  static Stream<FunctionDefinition> routeFunctions() throws IOException {
    return Template.read(World.TEMPLATE, Map.of()).functions().stream()
        .filter(function -> !function.routes().isEmpty() && !function.id().equals(LOGIN));
  }

  /**
   * Counts the lines of the function, of its limits, of its metrics in alarms, and of its graphs in
   * the dashboard.
   */
  @ParameterizedTest
  @MethodSource("routeFunctions")
  void a_route_with_its_function_costs_at_most_35_lines(FunctionDefinition function)
      throws IOException {
    String text = Files.readString(World.TEMPLATE);
    int start = text.indexOf("\n  " + function.id() + ":\n") + 1;
    int end = text.indexOf("\n\n", start) + 2;
    List<String> own = text.substring(start, end).lines().toList();
    List<String> elsewhere =
        (text.substring(0, start) + text.substring(end))
            .lines()
            .filter(line -> mentions(line, function))
            .toList();

    assertThat(own).hasSizeGreaterThan(10);
    assertThat(elsewhere).hasSizeGreaterThan(2);
    assertThat(own.size() + elsewhere.size())
        .as("lines of %s: %s and %s", function.id(), own.size(), elsewhere)
        .isLessThanOrEqualTo(MAX_LINES);
  }

  private static boolean mentions(String line, FunctionDefinition function) {
    return line.matches(".*\\b" + function.id() + "\\b.*")
        || function.routes().stream()
            .map(Route::key)
            .anyMatch(key -> line.matches(".*\\b" + Pattern.quote(key) + "[:\"].*"));
  }

  @Test
  void every_output_is_named_by_a_page_or_a_script() throws IOException {
    StringBuilder readers = new StringBuilder(Files.readString(Path.of("../operate/user")));
    try (Stream<Path> pages = Files.list(Path.of("../docs"))) {
      for (Path page : pages.filter(each -> each.toString().endsWith(".md")).toList()) {
        readers.append(Files.readString(page));
      }
    }

    assertThat(TemplateText.ofTheService().root().path("Outputs").propertyStream())
        .isNotEmpty()
        .extracting(Map.Entry::getKey)
        .allSatisfy(output -> assertThat(readers).containsPattern("\\b" + output + "\\b"));
  }

  /** The names of the template's parts, each with its indentation. */
  private static List<String> names(String pattern, String text) {
    return Pattern.compile(pattern, Pattern.MULTILINE)
        .matcher(text)
        .results()
        .map(part -> part.group(1) + part.group(2))
        .toList();
  }
}
