package dev.connectorevents.acceptance.build;

import static java.util.Comparator.comparingInt;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import java.io.IOException;
import java.lang.classfile.AnnotationValue.OfArray;
import java.lang.classfile.AnnotationValue.OfString;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Each promise that a test names by {@link Promise} is a sentence of one page, or of what is said
 * before the class of an operators' function. Writes the list of all, {@code target/promises.md}.
 */
class PromisesTest {

  private static final Pattern PART = Pattern.compile("\n(?=## )");

  /** What is said before a class: of an operators' function, the contract of its JSON. */
  private static final Pattern HEAD_OF_CLASS = Pattern.compile("(?ms)^/\\*\\*(.*?)\\*/");

  private static final Path ROOT = Path.of("..");
  private static final Path OPERATORS =
      ROOT.resolve("functions/src/main/java/dev/connectorevents/functions/operators");
  private static final String TESTS = "target/test-classes";

  private static final String HEAD =
      """
      # What the service promises, and the tests that hold it

      Each line is a sentence of a page, or a part of one, and the tests that fail if the service breaks it, as class and
      method. `PythonUnitTest` runs the tests in Python.
      """;

  /** The text of each part of a page, by a link to it, with a space for each line break. */
  private static final Map<String, String> PARTS = new LinkedHashMap<>();

  /** A sentence, where it stands in the part that this link leads to, and a test that holds it. */
  private record Promised(String link, int place, String says, String test) {}

  @BeforeAll
  static void readPages() throws IOException {
    for (Path page : PagesTest.pages().stream().sorted().toList()) {
      String name = ROOT.resolve("docs").relativize(page).toString();
      if (!name.matches("adr/.*|../CHANGELOG.md")) {
        for (String part : PART.splitAsStream(Files.readString(page)).toList()) {
          String heading = part.lines().findFirst().orElseThrow().replaceFirst("#+ ", "");
          PARTS.put(
              "[%s: %s](../../docs/%s#%s)"
                  .formatted(page.getFileName(), heading, name, PagesTest.anchor(heading)),
              part.replaceAll("\\s+", " "));
        }
      }
    }
  }

  @BeforeAll
  static void readHeadsOfOperatorsFunctions() throws IOException {
    try (Stream<Path> files = Files.walk(OPERATORS)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        HEAD_OF_CLASS
            .matcher(Files.readString(file))
            .results()
            .findFirst()
            .ifPresent(head ->
                PARTS.put(
                    "[%s](../../%s)".formatted(file.getFileName(), ROOT.relativize(file)),
                    head.group(1)
                        .replaceAll("(?m)^ \\*|</?(?:p|ul|li)>", "")
                        .replaceAll("\\{@code\\s+(.*?)}", "`$1`")
                        .replaceAll("\\s+", " ")));
      }
    }
  }

  @Test
  void each_promise_of_a_test_stands_once_on_the_pages() throws IOException {
    List<Promised> promised = promised();

    assertThat(promised).isNotEmpty();
    Files.writeString(Path.of("target/promises.md"), list(promised));
  }

  private static String list(List<Promised> promised) {
    List<String> links = List.copyOf(PARTS.keySet());
    Map<String, Map<String, String>> testsByPart =
        promised.stream()
            .sorted(
                comparingInt((Promised it) -> links.indexOf(it.link()))
                    .thenComparingInt(Promised::place)
                    .thenComparing(Promised::test))
            .collect(
                groupingBy(
                    Promised::link,
                    LinkedHashMap::new,
                    groupingBy(
                        Promised::says,
                        LinkedHashMap::new,
                        mapping(Promised::test, joining("`, `", "`", "`")))));
    StringBuilder list = new StringBuilder(HEAD);
    testsByPart.forEach((link, tests) -> {
      list.append("\n## ").append(link).append("\n\n| promise | tests |\n|---|---|\n");
      tests.forEach((says, names) -> list.append("| %s | %s |\n".formatted(says, names)));
    });
    return list.toString();
  }

  private static List<Promised> promised() throws IOException {
    List<Promised> promised = new ArrayList<>();
    for (Path file : testClasses()) {
      String name = file.getFileName().toString().replace(".class", "#");
      for (MethodModel method : ClassFile.of().parse(file).methods()) {
        String test = name + method.methodName().stringValue();
        sentences(method).forEach(says -> promised.add(promised(says, test)));
      }
    }
    return promised;
  }

  private static List<Path> testClasses() throws IOException {
    List<Path> classes = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.map(it -> it.resolve(TESTS)).filter(Files::exists).toList()) {
        try (Stream<Path> files = Files.walk(module)) {
          files.filter(it -> it.toString().endsWith(".class")).forEach(classes::add);
        }
      }
    }
    return classes;
  }

  private static Stream<String> sentences(MethodModel test) {
    return test.findAttribute(Attributes.runtimeInvisibleAnnotations()).stream()
        .flatMap(it -> it.annotations().stream())
        .filter(it -> it.classSymbol().equals(Promise.class.describeConstable().orElseThrow()))
        .flatMap(it -> ((OfArray) it.elements().getFirst().value()).values().stream())
        .map(it -> ((OfString) it).stringValue());
  }

  private static Promised promised(String says, String test) {
    List<Map.Entry<String, String>> parts =
        PARTS.entrySet().stream().filter(it -> it.getValue().contains(says)).toList();
    assertThat(parts)
        .extracting(Map.Entry::getKey)
        .as("Where the promise of %s stands: %s", test, says)
        .hasSize(1);
    Map.Entry<String, String> part = parts.getFirst();
    return new Promised(part.getKey(), part.getValue().indexOf(says), says, test);
  }
}
