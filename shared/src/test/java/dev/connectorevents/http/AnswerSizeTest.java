package dev.connectorevents.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerSizeTest {

  @ParameterizedTest
  @CsvSource({
    "a, 6275161, false", // {"body":""} takes the other 11 bytes
    "a, 6275162, true",
    "'\"', 3100000, false", // JSON escapes a quote, which then takes two bytes
    "'\"', 3200000, true",
    "é, 3100000, false",
    "é, 3200000, true",
  })
  void a_body_counts_as_json_in_utf8(String character, int characters, boolean exceeds) {
    assertThat(AnswerSize.exceeds(character.repeat(characters))).isEqualTo(exceeds);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          gzip                  | true
          GZIP                  | true
          deflate, gzip;q=0.5   | true
          br;q=1, *             | true
          gzip;q=0, *           | false
          *;q=0, gzip           | true
          *;q=0                 | false
          deflate, br           | false
          gzip;q=0              | false
          gzip; q = 0.00, br    | false
          gzipped               | false
          """)
  void a_client_names_the_codings_that_it_accepts(String header, boolean accepts) {
    Request request = new Request("r", "", Map.of("accept-encoding", header), "", false);

    assertThat(AnswerSize.acceptsGzip(request)).isEqualTo(accepts);
  }

  @Test
  void a_client_without_the_header_gets_plain_text() {
    assertThat(AnswerSize.acceptsGzip(new Request("r", "", Map.of(), "", false))).isFalse();
  }
}
