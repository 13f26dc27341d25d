package dev.connectorevents.bench.coldstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantilesTest {

  @Test
  void the_median_of_an_odd_number_is_the_middle_one() {
    assertThat(Quantiles.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2);
  }

  @Test
  void the_median_of_an_even_number_is_between_the_two_in_the_middle() {
    assertThat(Quantiles.median(List.of(9.0, 1.0, 2.0, 4.0))).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "0.01, 1", "0.5, 50", "0.99, 99", "1, 100"})
  void a_quantile_is_the_least_value_that_its_share_is_not_above(double share, double value) {
    List<Double> hundred = IntStream.rangeClosed(1, 100).mapToObj(Double::valueOf).toList();

    assertThat(Quantiles.quantile(hundred.reversed(), share)).isEqualTo(value);
  }

  @Test
  void nothing_has_no_median() {
    assertThatIllegalArgumentException().isThrownBy(() -> Quantiles.median(List.of()));
  }
}
