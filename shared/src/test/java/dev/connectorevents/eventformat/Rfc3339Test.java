package dev.connectorevents.eventformat;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Rfc3339Test {

  @ParameterizedTest
  @CsvSource({
    "2026-11-20T12:00:00Z, 2026-11-20T12:00:00Z",
    "2026-11-20t12:00:00z, 2026-11-20T12:00:00Z",
    "2026-11-20T12:00:00+01:30, 2026-11-20T10:30:00Z",
    "2026-11-20T12:00:00-00:00, 2026-11-20T12:00:00Z",
    "2026-11-20T12:00:00.1Z, 2026-11-20T12:00:00.100Z",
    "2026-11-20T12:00:00.123456789Z, 2026-11-20T12:00:00.123456789Z",
    "2026-11-20T12:00:00+18:00, 2026-11-19T18:00:00Z",
    "2024-02-29T00:00:00Z, 2024-02-29T00:00:00Z",
    "0000-01-01T00:00:00Z, 0000-01-01T00:00:00Z",
  })
  void a_date_time_with_an_offset_is_a_moment(String text, String utc) {
    assertThat(Rfc3339.parse(text)).hasValue(Instant.parse(utc));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2026-11-20",
        "2026-11-20T12:00:00",
        "2026-11-20T12:00Z",
        "2026-11-20 12:00:00Z",
        "2026-11-20T24:00:00Z",
        "2026-11-20T12:60:00Z",
        "1990-12-31T23:59:60Z",
        "1990-12-31T15:59:60-08:00",
        "2026-11-20T23:59:60+01:00",
        "2026-11-20T12:00:00+18:01",
        "2026-02-29T12:00:00Z",
        "2026-13-01T12:00:00Z",
        "2026-11-20T12:00:00.Z",
        "2026-11-20T12:00:00.1234567890Z",
        "2026-11-20T12:00:00+0100",
        "2026-11-20T12:00:00+01",
        "2026-11-20T12:00:00+01:00:00",
        "2026-11-20T12:00:00+25:00",
        "+12026-11-20T12:00:00Z",
        "-2026-11-20T12:00:00Z",
        "0000-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59-01:00",
        "1763640000",
        "２０２６-11-20T12:00:00Z"
      })
  void anything_else_is_refused(String text) {
    assertThat(Rfc3339.parse(text)).isEmpty();
  }
}
