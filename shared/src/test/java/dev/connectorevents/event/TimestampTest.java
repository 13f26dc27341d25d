package dev.connectorevents.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimestampTest {

  @ParameterizedTest
  @CsvSource({
    "2026-11-20T12:00:00Z, 2026-11-20T12:00:00.000Z",
    "2026-11-20T12:00:00.1Z, 2026-11-20T12:00:00.100Z",
    "2026-11-20T12:00:00.123999999Z, 2026-11-20T12:00:00.123Z",
  })
  @Promise("have three digits of fraction, so they sort as text.")
  void a_time_has_three_digits_of_fraction(Instant time, String text) {
    assertThat(Timestamp.of(time)).isEqualTo(text);
  }
}
