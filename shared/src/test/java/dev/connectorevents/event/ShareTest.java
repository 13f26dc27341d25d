package dev.connectorevents.event;

import static org.assertj.core.api.Assertions.assertThat;

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
}
