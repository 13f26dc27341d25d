package dev.connectorevents.acceptance.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.connectorevents.eventformat.Rfc3339;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Fuzzes the parser of times in requests. */
class TimeFuzzTest {

  /**
   * A date-time of RFC 3339, section 5.6, with at most 9 digits of fraction, and its variants. The
   * JDK refuses leap seconds, and takes the offset of a strict format only.
   */
  private static final Pattern FORM =
      Pattern.compile(
          "(\\d{4}-\\d\\d-\\d\\d)[Tt ](\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?) ?([Zz]|[+-]\\d\\d)(?::?(\\d\\d))?");

  @FuzzTest
  void a_time_is_what_the_rfc_allows_and_the_jdk_parses(byte[] bytes) {
    String text = new String(bytes, UTF_8);
    Budget.spend(bytes, () -> assertThat(Rfc3339.parse(text)).isEqualTo(byTheJdk(text)));
  }

  private static Optional<Instant> byTheJdk(String text) {
    try {
      return FORM.matcher(text)
          .results()
          .filter(form -> form.group().equals(text))
          .filter(form -> form.group(4) == null || !form.group(3).equalsIgnoreCase("z"))
          .findFirst()
          .map(form -> strict(form.group(1), form.group(2), form.group(3), form.group(4)))
          .map(it -> OffsetDateTime.parse(it).toInstant())
          .filter(it -> it.atOffset(ZoneOffset.UTC).getYear() >= 0)
          .filter(it -> it.atOffset(ZoneOffset.UTC).getYear() <= 9_999);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static String strict(String date, String time, String hours, @Nullable String minutes) {
    return date
        + "T"
        + time
        + (hours.equalsIgnoreCase("z") ? "Z" : hours + ":" + (minutes == null ? "00" : minutes));
  }
}
