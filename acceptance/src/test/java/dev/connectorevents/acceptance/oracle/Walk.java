package dev.connectorevents.acceptance.oracle;

import dev.connectorevents.acceptance.service.Product;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.service.WorldClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Steps through one service. Each ends before the next one begins, or waits while some others are
 * made. The clock stands still, so the same steps get the same replies.
 *
 * @param replies to each step
 * @param violation what the oracle does not allow; empty if there is nothing
 */
public record Walk(List<Step> steps, List<Set<String>> replies, Optional<String> violation) {

  static final int STEPS = 200;

  /** The time between two steps, so that they are in order for the service too. */
  static final Duration PAUSE = Duration.ofMillis(100);

  private static final Map<String, String> PARAMETERS =
      Map.of(
          "TokenLifetimeSeconds", "" + SessionRules.TOKEN_LIFETIME.toSeconds(),
          "SessionLifetimeDays", "" + SessionRules.SESSION_LIFETIME.toDays());

  /** The walk of a seed. */
  public static Walk of(long seed, Product product) {
    return of(Step.draw(seed, STEPS), product);
  }

  static Walk of(List<Step> steps, Product product) {
    Setup setup =
        new Setup()
            .inProcess()
            .logged(line -> {})
            .parameters(PARAMETERS)
            .clock(WorldClock.standing())
            .product(product);
    if (!product.equals(Product.SOUND)) {
      setup.unrecorded();
    }
    try (World world = World.start(setup)) {
      return new Course(steps, world).walk();
    }
  }

  /** Leaves out steps, first many at once, for as long as there is a violation. */
  public Walk shortened(Product product) {
    Walk shortest = this;
    for (int size = steps.size() / 2; size > 0; size /= 2) {
      for (int from = shortest.steps.size() - size; from > -size; from -= size) {
        List<Step> fewer = without(shortest.steps, Math.max(from, 0), from + size);
        Walk shorter = fewer.size() < shortest.steps.size() ? of(fewer, product) : shortest;
        shortest = shorter.violation.isPresent() ? shorter : shortest;
      }
    }
    return shortest;
  }

  private static List<Step> without(List<Step> steps, int from, int to) {
    return IntStream.range(0, steps.size())
        .filter(i -> i < from || i >= to)
        .mapToObj(steps::get)
        .toList();
  }

  @Override
  public String toString() {
    List<String> lines = new ArrayList<>(List.of(violation.orElse("no violation")));
    for (int i = 0; i < replies.size(); i++) {
      lines.add("  " + steps.get(i) + ": " + String.join(", ", replies.get(i)));
    }
    return String.join("\n", lines);
  }
}
