package dev.connectorevents.acceptance.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.connectorevents.eventformat.Rfc3339;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;

/** Fuzzes the parser of times in requests. */
class TimeFuzzTest {

  /**
   * The form of a date-time in RFC 3339, section 5.6, with at most 9 digits of fraction. The JDK
   * refuses leap seconds.
   */
  private static final String FORM =
      "\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?(?:[Zz]|[+-]\\d\\d:\\d\\d)";

  @FuzzTest
  void a_time_is_what_the_rfc_allows_and_the_jdk_parses(byte[] bytes) {
    String text = new String(bytes, UTF_8);
    Budget.spend(bytes, () -> assertThat(Rfc3339.parse(text)).isEqualTo(byTheJdk(text)));
  }

  private static Optional<Instant> byTheJdk(String text) {
    try {
      return Optional.of(text)
          .filter(it -> it.matches(FORM))
          .map(it -> OffsetDateTime.parse(it.toUpperCase(Locale.ROOT)).toInstant())
          .filter(it -> it.atOffset(ZoneOffset.UTC).getYear() >= 0)
          .filter(it -> it.atOffset(ZoneOffset.UTC).getYear() <= 9_999);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
