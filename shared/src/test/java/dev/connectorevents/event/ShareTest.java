package dev.connectorevents.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShareTest {

  @ParameterizedTest
  @CsvSource({"0, 1/3", "1, 2/3", "2, 3/3", "3, 1/3", "65535, 64/64", "65535, 1/1", "7, 8/8"})
  void each_number_is_in_one_part(long number, String part) {
    Share expected = Share.parse(part).orElseThrow();

    for (int i = 1; i <= expected.parts(); i++) {
      Share share = new Share(i, expected.parts());
      assertThat(share.has(number)).as("%s", share).isEqualTo(share.equals(expected));
    }
  }

  @Test
  @Promise("**Shares nest**")
  void a_share_that_doubles_is_taken_over_by_two() {
    for (int parts = 1; parts <= Share.MOST_PARTS / 2; parts++) {
      for (int number = 0; number < 2 * parts; number++) {
        int part = partOf(number, parts);
        assertThat(partOf(number, 2 * parts)).isIn(part, parts + part);
      }
    }
  }

  private static int partOf(int number, int parts) {
    return IntStream.rangeClosed(1, parts)
        .filter(part -> new Share(part, parts).has(number))
        .findFirst()
        .orElseThrow();
  }
}
