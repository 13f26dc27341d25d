package dev.connectorevents.acceptance.feeders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.feeders.ShardedStream.Order;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.Product;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Follows feeds while events and erasures arrive late, on a clock that stands. {@code
 * -Dfeed.seed=7} takes only the steps of seed 7. {@code -Dfeed.trace=true} prints them.
 */
@Order(1)
class FeedTest {

  private static final int SEED = Integer.getInteger("feed.seed", 0);
  private static final int MOST_SEEDS = Nightly.choose(1, 200);

  @Test
  @Promise({
    "each event comes exactly once, by position, for as long as you follow `next`.",
    "What was passed does not come back, neither for other parameters nor for a wider scope."
  })
  void each_event_and_each_erasure_passes_a_feed_once_and_in_order() {
    int first = SEED != 0 ? SEED : 1;
    int last = SEED != 0 ? SEED : MOST_SEEDS;
    for (int seed = first; seed <= last; seed++) {
      assertThat(FeedWalk.violationOf(seed, Product.SOUND)).as("seed " + seed).isEmpty();
      System.out.println("seed " + seed + " without a violation");
    }
  }

  @Test
  @Tag("nightly")
  void the_feed_needs_parents_to_be_read_before_their_children() {
    Optional<String> broken =
        IntStream.rangeClosed(1, MOST_SEEDS)
            .mapToObj(seed -> FeedWalk.violationOf(seed, Product.SOUND, Order.ANY))
            .flatMap(Optional::stream)
            .findFirst();

    assertThat(broken).isPresent();
    System.out.println(broken.get());
  }
}
