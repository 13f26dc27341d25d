package dev.connectorevents.acceptance.feeders;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.feeders.ShardedStream.Order;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.Product;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.service.WorldClock;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Follows feeds while events and erasures arrive late, on a clock that stands. {@code
 * -Dfeed.seed=7} takes only the steps of seed 7. {@code -Dfeed.trace=true} prints them.
 */
@org.junit.jupiter.api.Order(1)
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

  @ParameterizedTest
  @EnumSource
  void an_erasure_needs_parents_to_be_read_before_their_children(Order order) {
    Setup setup = new Setup().inProcess().unrecorded().clock(WorldClock.standing());
    try (World world = World.start(setup)) {
      ShardedStream stream =
          new ShardedStream(world.stream(), 1, order, new Random(1), world.clock()::now);
      Predicate<JsonNode> call =
          event -> world.operator().invoke("NumberEventsFunction", "" + event).has("state");
      beat(world, stream, call); // what a new feed lacks at its first beat would be found
      String id = world.store();
      stream.split(); // now the children get the marks
      ObjectNode request = SenderErasures.request(userId(world));
      request.set("next", world.operator().eraseEvents(request).get("next"));
      stream.catchUp("shard-0", call);

      JsonNode answer = world.operator().eraseEvents(request);

      boolean isBroken =
          answer.get("complete").booleanValue()
              && world
                      .client()
                      .get("/api/webhook-events/" + id, world.operator().consumerToken())
                      .status()
                  == 200;
      assertThat(isBroken).as(answer.toString()).isEqualTo(order == Order.CHILDREN_FIRST);
    }
  }

  private static void beat(World world, ShardedStream stream, Predicate<JsonNode> call) {
    Thread beat = Thread.ofVirtual().start(() -> world.operator().invoke("BeatFeedFunction", "{}"));
    while (beat.isAlive()) {
      stream.catchUp("", call);
      LockSupport.parkNanos(10_000_000);
    }
  }

  private static UUID userId(World world) {
    String me =
        world.client().get("/api/auth/me", world.client().token()).body().get("id").asText();
    return UUID.fromString(me);
  }
}
