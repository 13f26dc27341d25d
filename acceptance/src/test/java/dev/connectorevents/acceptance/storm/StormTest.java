package dev.connectorevents.acceptance.storm;

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
 * Lets many clients at once use the service, and looks for lost, duplicated and leaked events.
 * {@code -Dstorm.seed=7} makes only the storm of seed 7. {@code -Dstorm.steps=20} limits each
 * worker to 20 steps. {@code -Dstorm.minutes=20} begins no storm after that time.
 */
class StormTest {

  private static final int SEED = Integer.getInteger("storm.seed", 0);
  private static final int STEPS = Integer.getInteger("storm.steps", Integer.MAX_VALUE);
  private static final int MOST_SEEDS = Nightly.choose(1, 500);
  private static final Duration LONGEST =
      Duration.ofMinutes(Integer.getInteger("storm.minutes", 120));

  /**
   * The outcomes, such as {@code EVENT 201}, that must be seen at least once. Otherwise the storms
   * have tried too little. With {@code -Dstorm.steps} they need not be.
   */
  private static final String[] TRIED = {
    "LOGIN 200",
    "REFRESH 200",
    "ME 200",
    "ME 401",
    "EVENT 201",
    "EVENT 401",
    "EVENT 410",
    "ERASURE complete",
    "BATCH 200",
    "READ 200",
    "LIST 200",
    "LIST 503"
  };

  @Test
  void nothing_acknowledged_is_lost_nothing_is_stored_twice_and_nothing_opens() throws Exception {
    long end = System.nanoTime() + LONGEST.toNanos();
    // The usual build always takes seed 1, so that its result depends less on chance. Each nightly
    // build takes other seeds.
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
      assertThat(seen).as("what the storms have tried").containsKeys(TRIED);
    }
  }
}
