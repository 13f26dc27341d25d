package dev.connectorevents.acceptance.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.Product;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlantedDefectsTest {

  /** One seed runs for about 8 s. Half of the defects are found by the first or second seed. */
  private static final int MOST_SEEDS = 20;

  @ParameterizedTest
  @EnumSource
  void a_defect_changes_a_line_of_the_source(PlantedDefect defect) throws IOException {
    assertThat(defect.changedSource()).isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource
  @Tag("nightly")
  void a_planted_defect_is_found_within_twenty_seeds(PlantedDefect defect, @TempDir Path folder)
      throws Exception {
    Product product = defect.product(folder);
    long start = System.nanoTime();
    Optional<Finding> finding = Optional.empty();
    for (int seed = 1; finding.isEmpty() && seed <= MOST_SEEDS; seed++) {
      finding = Finding.of(seed, product, Integer.MAX_VALUE).filter(it -> it.isBy(defect.rules));
    }

    assertThat(finding).isPresent();
    long seconds = (System.nanoTime() - start) / 1_000_000_000;
    System.out.printf(
        "%s after %d s: %s%n", defect, seconds, finding.get().violations().getFirst());
  }

  @Test
  @Tag("nightly")
  void a_finding_is_shortened_and_names_the_options_that_repeat_it(@TempDir Path folder)
      throws Exception {
    Product product = PlantedDefect.NEW_ID_FOR_A_RETRY.product(folder);
    Finding finding = Finding.of(1, product, Integer.MAX_VALUE).orElseThrow();

    Finding shorter = finding.shortened(product);

    assertThat(shorter.steps()).isLessThan(finding.steps());
    assertThat(shorter.toString())
        .contains(
            Rule.STORED_TWICE.toString(), "-Dhistory.seed=1 -Dhistory.steps=" + shorter.steps());
    System.out.println(shorter);
  }
}
