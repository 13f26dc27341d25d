package dev.connectorevents.acceptance.search;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.Product;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Searches random runs of the service for lost, duplicated and leaked events. {@code
 * -Dhistory.seed=7} begins with seed 7. {@code -Dhistory.steps=20} limits each worker of a run to
 * 20 steps. {@code -Dhistory.minutes=20} begins no run after that time.
 */
class HistoriesTest {

  private static final int SEED = Integer.getInteger("history.seed", 0);
  private static final int STEPS = Integer.getInteger("history.steps", Integer.MAX_VALUE);
  private static final int MOST_SEEDS = Nightly.choose(1, 500);
  private static final Duration LONGEST =
      Duration.ofMinutes(Integer.getInteger("history.minutes", 120));

  /**
   * The outcomes, such as {@code EVENT 201}, that every search must see at least once. Otherwise it
   * has tried too little. A search with {@code -Dhistory.steps} is exempt.
   */
  private static final String[] TRIED = {
    "LOGIN 200",
    "REFRESH 200",
    "ME 200",
    "ME 401",
    "EVENT 201",
    "EVENT 401",
    "EVENT 403",
    "EVENT 410",
    "ERASURE complete",
    "SCOPE changed",
    "BATCH 200",
    "READ 200",
    "READ 410",
    "LIST 200",
    "LIST 403"
  };

  @Test
  void nothing_acknowledged_is_lost_nothing_is_stored_twice_and_nothing_opens() throws Exception {
    long end = System.nanoTime() + LONGEST.toNanos();
    // The usual build always searches seed 1, so that its result depends less on chance. Each
    // nightly build searches other seeds.
    int first = SEED != 0 ? SEED : Nightly.choose(1, (int) LocalDate.now(UTC).toEpochDay() * 1_000);
    int last = SEED != 0 ? SEED : first + MOST_SEEDS - 1;
    Map<String, Long> seen = new TreeMap<>();
    int seeds = 0;
    for (int seed = first; seed <= last && System.nanoTime() < end; seed++) {
      Optional<Finding> finding = Finding.of(seed, Product.SOUND, STEPS, seen);
      if (finding.isPresent()) {
        System.out.println(finding.get()); // printed first, because shortening may fail
        fail(finding.get().shortened(Product.SOUND).toString());
      }
      seeds++;
    }
    System.out.printf("%d seeds without a violation: %s%n", seeds, seen);
    if (STEPS == Integer.MAX_VALUE) {
      assertThat(seen).as("what the search has tried").containsKeys(TRIED);
    }
  }
}
