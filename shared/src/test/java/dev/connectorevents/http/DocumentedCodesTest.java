package dev.connectorevents.http;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares the tables of codes in {@code docs/} with the codes of the service. */
class DocumentedCodesTest {

  private static final Path DOCS = Path.of("../docs");

  /** Codes that only operators get: no route returns them. */
  private static final Set<ProblemCode> FOR_OPERATORS =
      Set.of(ProblemCode.USER_NOT_FOUND, ProblemCode.ADDRESS_TAKEN, ProblemCode.USER_DISABLED);

  /**
   * Codes that connectors never get: the codes for operators, and two codes for readers of events.
   */
  private static final Set<ProblemCode> NOT_FOR_CONNECTORS =
      EnumSet.of(ProblemCode.NOT_FOUND, ProblemCode.NOT_ACCEPTABLE);

  static {
    NOT_FOR_CONNECTORS.addAll(FOR_OPERATORS);
  }

  private static final Pattern ADVICE =
      Pattern.compile(
          "^\\| (\\d{3}) \\| `(\\w+)` \\| \\*\\*(?:retry|log in|fix|give up|done)\\*\\* \\| .+ \\|$",
          Pattern.MULTILINE);

  private static final Pattern REFERENCE =
      Pattern.compile("^\\| (\\d{3}) \\| `(\\w+)` \\| [^|]+ \\| [^|]+ \\|$", Pattern.MULTILINE);

  @Test
  void the_guide_says_for_each_code_that_a_connector_can_get_what_to_do() throws IOException {
    assertThat(rows(ADVICE, "connectors.md")).isEqualTo(codesExcept(NOT_FOR_CONNECTORS));
  }

  @Test
  void the_reference_says_when_a_client_gets_each_code() throws IOException {
    assertThat(rows(REFERENCE, "api.md")).isEqualTo(codesExcept(FOR_OPERATORS));
  }

  private static Map<String, Integer> codesExcept(Set<ProblemCode> left) {
    return Arrays.stream(ProblemCode.values())
        .filter(code -> !left.contains(code))
        .collect(toMap(ProblemCode::text, ProblemCode::status));
  }

  /**
   * The status of each code in a page's table.
   *
   * @throws IllegalStateException if a code has two rows
   */
  private static Map<String, Integer> rows(Pattern row, String page) throws IOException {
    return row.matcher(Files.readString(DOCS.resolve(page)))
        .results()
        .collect(toMap(found -> found.group(2), found -> Integer.valueOf(found.group(1))));
  }
}
