package dev.connectorevents.acceptance.build;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.template.TemplateText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks the links of the project's Markdown pages, and the tests, classes and calls that they
 * name.
 */
class PagesTest {

  private static final Path ROOT = Path.of("..");
  private static final Path DECISIONS = ROOT.resolve("docs/adr");

  /**
   * A link within the project. Group 1 is the file; it is empty for a link within one page. Group 2
   * is the anchor; it is null if the link has none.
   */
  private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)#]*)(?:#([^)]*))?\\)");

  /**
   * A method of a class in groups 1 and 2, or a name alone in group 3. No option as -Dwalk.seed.
   */
  private static final Pattern CODE =
      Pattern.compile("(?<!-)\\b([A-Z]\\w+)\\.(\\w+)|`([A-Z]\\w+)`");

  /** Operations and exceptions of AWS, a constant, a word of the template, and a page. */
  private static final Set<String> NO_CLASSES =
      Set.of(
          "`AccessDeniedException`",
          "`ExpiredTokenException`",
          "`PutItem`",
          "`ThrottlingException`",
          "`TransactWriteItems`",
          "`VERSION`",
          "`VersionDescription`",
          "README.md");

  private static final Pattern RAISED =
      Pattern.compile("(?i)(?<!not )raised?\\s+\\[?`DeployNumber|DeployNumber=[2-9]");

  /** The most words of each page, as {@code wc -w} counts them: who comes should find the page. */
  private static final Map<String, Integer> MOST_WORDS =
      Map.ofEntries(
          entry("README.md", 800),
          entry("ARCHITECTURE.md", 2_000),
          entry("CONTRIBUTING.md", 900),
          entry("SECURITY.md", 2_200),
          entry("CHANGELOG.md", 2_500),
          entry("api.md", 5_000),
          entry("connectors.md", 5_500),
          entry("reading-events.md", 5_000),
          entry("running-locally.md", 1_500),
          entry("deploying.md", 2_500),
          entry("only-aws.md", 2_600),
          entry("operating.md", 5_500),
          entry("alarms.md", 3_500),
          entry("privacy.md", 2_800),
          entry("cost.md", 3_000),
          entry("how-we-know.md", 2_500));

  private static final int MOST_WORDS_OF_A_DECISION = 320;

  static List<Path> pages() throws IOException {
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(top, docs).filter(file -> file.toString().endsWith(".md")).toList();
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void each_link_within_the_project_has_its_target(Path page) throws IOException {
    for (MatchResult link : LINK.matcher(Files.readString(page)).results().toList()) {
      Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
      assertThat(target).as(link.group()).exists();
      if (link.group(2) != null) {
        assertThat(anchors(target)).as(link.group()).contains(link.group(2));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void a_page_has_at_most_so_many_words(Path page) throws IOException {
    String name = page.getFileName().toString();
    int most =
        page.startsWith(DECISIONS) ? MOST_WORDS_OF_A_DECISION : MOST_WORDS.getOrDefault(name, 0);

    assertThat(Files.readString(page).strip().split("\\s+")).hasSizeLessThanOrEqualTo(most);
  }

  private static List<String> anchors(Path page) throws IOException {
    return Files.readAllLines(page).stream()
        .filter(line -> line.startsWith("#"))
        .map(line -> anchor(line.replaceFirst("^#+ ", "")))
        .toList();
  }

  /** The anchor that GitHub makes from a heading. */
  static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\w -]", "").replace(' ', '-');
  }

  /** With both, CloudFormation refuses the deploy: a version would be replaced. */
  @ParameterizedTest
  @MethodSource("pages")
  void no_page_raises_the_deploys_number_while_it_disables_the_rollback(Path page)
      throws IOException {
    assertThat(Files.readString(page).split("\n\n|\n(?=[|-] ?)"))
        .filteredOn(part -> part.contains("--disable-rollback"))
        .noneMatch(part -> RAISED.matcher(part).find());
  }

  @ParameterizedTest
  @MethodSource("pages")
  void what_aws_does_not_say_has_the_page_that_does_not_say_it(Path page) throws IOException {
    assertThat(Files.readString(page)).doesNotContainPattern("(?<!\\[)AWS\\s+does\\s+not\\s+say");
  }

  @Test
  void the_list_of_decisions_has_each_of_them_by_number() throws IOException {
    List<String> decisions = new ArrayList<>();
    try (Stream<Path> files = Files.list(DECISIONS)) {
      for (Path file : files.filter(file -> !file.endsWith("README.md")).sorted().toList()) {
        String[] heading = Files.readAllLines(file).getFirst().split("^# |\\. ", 3);
        assertThat(file.getFileName().toString())
            .startsWith("%04d-".formatted(Integer.valueOf(heading[1])));
        decisions.add("%s. [%s](%s)".formatted(heading[1], heading[2], file.getFileName()));
      }
    }

    assertThat(Files.readAllLines(DECISIONS.resolve("README.md")))
        .filteredOn(line -> line.matches("\\d+\\. .*"))
        .isNotEmpty()
        .containsExactlyElementsOf(decisions);
  }

  /** Whether the source of a class, or of a class that it extends, has this method. */
  private static boolean hasMethod(Map<String, String> sources, String name, String method) {
    String source = sources.getOrDefault(name, "");
    Matcher superclass = Pattern.compile(" extends (\\w+)").matcher(source);
    return source.contains(" " + method + "(")
        || (superclass.find() && hasMethod(sources, superclass.group(1), method));
  }

  @Test
  void each_test_that_the_threat_model_names_exists() throws IOException {
    List<String> named =
        Pattern.compile("`(\\w+Test)`")
            .matcher(Files.readString(ROOT.resolve("SECURITY.md")))
            .results()
            .map(test -> test.group(1))
            .toList();

    assertThat(named).isNotEmpty().isSubsetOf(sourcesByClass("src/test/java").keySet());
  }

  /** The sources of all modules' classes in this folder, by class name. */
  private static Map<String, String> sourcesByClass(String sourceFolder) throws IOException {
    Map<String, String> sources = new HashMap<>();
    try (Stream<Path> folders = Files.list(ROOT)) {
      for (Path each : folders.map(it -> it.resolve(sourceFolder)).filter(Files::exists).toList()) {
        try (Stream<Path> files = Files.walk(each)) {
          for (Path file : files.filter(Files::isRegularFile).toList()) {
            sources.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
          }
        }
      }
    }
    return sources;
  }

  @ParameterizedTest
  @ValueSource(strings = {"ARCHITECTURE.md", "docs/how-we-know.md"})
  void each_class_method_resource_and_parameter_that_a_page_on_the_code_names_exists(String page)
      throws IOException {
    Map<String, String> sources = sourcesByClass("src/main/java");
    sources.putAll(sourcesByClass("src/test/java"));
    JsonNode template = TemplateText.ofTheService().root();
    Set<String> named = new HashSet<>();
    template.path("Resources").fieldNames().forEachRemaining(named::add);
    template.path("Parameters").fieldNames().forEachRemaining(named::add);
    List<String> missing =
        CODE.matcher(Files.readString(ROOT.resolve(page)))
            .results()
            .filter(code -> !NO_CLASSES.contains(code.group()))
            .filter(code ->
                code.group(1) == null
                    ? !declares(sources, code.group(3)) && !named.contains(code.group(3))
                    : !hasMethod(sources, code.group(1), code.group(2)))
            .map(MatchResult::group)
            .toList();

    assertThat(missing).isEmpty();
  }

  private static boolean declares(Map<String, String> sources, String type) {
    Pattern nested = Pattern.compile(" (?:class|record|interface|enum) " + type + "\\b");
    return sources.containsKey(type)
        || sources.values().stream().anyMatch(source -> nested.matcher(source).find());
  }
}
