package dev.connectorevents.http;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares the table of codes in {@code docs/api.md} with the codes of the service. */
class DocumentedCodesTest {

  private static final Path API = Path.of("../docs/api.md");

  /** Codes that only operators get: no route returns them. */
  private static final Set<ProblemCode> FOR_OPERATORS =
      Set.of(
          ProblemCode.USER_NOT_FOUND,
          ProblemCode.ADDRESS_TAKEN,
          ProblemCode.USER_DISABLED,
          ProblemCode.FEED_NOT_WHOLE);

  /** A row says when a client gets the code, and then what to do. */
  private static final Pattern ROW =
      Pattern.compile(
          "^\\| (\\d{3}) `(\\w+)` \\| [^|]+ \\| \\*\\*(?:retry|log in|fix|give up|done)\\*\\*[^|]* \\|$",
          Pattern.MULTILINE);

  /** {@code toMap} throws an exception if a code has two rows. */
  @Test
  @Promise("`code` is stable.")
  void the_reference_says_when_a_client_gets_each_code() throws IOException {
    Map<String, Integer> documented =
        ROW.matcher(Files.readString(API))
            .results()
            .collect(toMap(row -> row.group(2), row -> Integer.valueOf(row.group(1))));

    assertThat(documented)
        .isEqualTo(
            Arrays.stream(ProblemCode.values())
                .filter(code -> !FOR_OPERATORS.contains(code))
                .collect(toMap(ProblemCode::text, ProblemCode::status)));
  }
}
