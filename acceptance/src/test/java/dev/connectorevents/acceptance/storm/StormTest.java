package dev.connectorevents.acceptance.storm;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.Product;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
  private static final boolean IS_WHOLE = SEED == 0 && STEPS == Integer.MAX_VALUE;
  private static final int SEEDS = SEED != 0 ? 1 : Nightly.choose(1, 500);

  /** As many storms as this may follow until all of {@link #TRIED} is seen: slow ones try less. */
  private static final int MORE_SEEDS = 9;

  private static final Duration LONGEST =
      Duration.ofMinutes(Integer.getInteger("storm.minutes", 120));

  /**
   * The outcomes, such as {@code EVENT 201}, that must be seen at least once. Otherwise the storms
   * have tried too little. With {@code -Dstorm.seed} or {@code -Dstorm.steps} they need not be.
   */
  private static final List<String> TRIED =
      List.of(
          "LOGIN 200",
          "EVENT 201",
          "EVENT 410",
          "ERASURE complete",
          "BATCH 200",
          "READ 200",
          "LIST 200");

  @Test
  void nothing_acknowledged_is_lost_nothing_is_stored_twice_and_nothing_opens() throws Exception {
    long end = System.nanoTime() + LONGEST.toNanos();
    // The usual build begins with seed 1, so that its result depends less on chance. Each nightly
    // build takes other seeds.
    int first = SEED != 0 ? SEED : Nightly.choose(1, (int) LocalDate.now(UTC).toEpochDay() * 1_000);
    Map<String, Long> seen = new TreeMap<>();
    int seeds = 0;
    while (isToGoOn(seeds, seen.keySet()) && System.nanoTime() < end) {
      Optional<Finding> finding = Finding.of(first + seeds, Product.SOUND, STEPS, seen);
      if (finding.isPresent()) {
        System.out.println(finding.get()); // printed first, because shortening may fail
        fail(finding.get().shortened(Product.SOUND).toString());
      }
      seeds++;
    }
    System.out.printf("%d seeds without a violation: %s%n", seeds, seen);
    if (IS_WHOLE) {
      assertThat(seen.keySet()).as("what the storms have tried").containsAll(TRIED);
    }
  }

  private static boolean isToGoOn(int seeds, Set<String> seen) {
    return seeds < SEEDS || (IS_WHOLE && seeds < SEEDS + MORE_SEEDS && !seen.containsAll(TRIED));
  }
}
