package dev.connectorevents.acceptance.storm;

import dev.connectorevents.acceptance.service.Product;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A storm with violations.
 *
 * @param steps the largest number of steps that one of the workers made
 */
record Finding(long seed, int steps, List<Violation> violations, CallHistory history) {

  private static final Duration LENGTH = Duration.ofSeconds(5);

  /**
   * The largest number of storms for shortening a finding. So many halvings shorten 5 s to a few
   * steps.
   */
  private static final int MOST_STORMS = 8;

  /** The largest number of calls that {@link #toString} shows. */
  private static final int SHOWN_CALLS = 30;

  static Optional<Finding> of(long seed, Product product, int steps)
      throws IOException, InterruptedException {
    return of(seed, product, steps, new HashMap<>());
  }

  /**
   * Runs the storm of this seed. Returns empty if it has no violation.
   *
   * @param steps the largest number of steps for each worker
   * @param seen counts as in {@link CallHistory#counts}; the storm adds its own counts to these
   */
  static Optional<Finding> of(long seed, Product product, int steps, Map<String, Long> seen)
      throws IOException, InterruptedException {
    System.out.println("seed " + seed);
    try (Storm storm = new Storm(seed, product)) {
      List<Violation> violations = storm.violations(LENGTH, steps);
      CallHistory history = storm.history();
      Map<String, Long> counts = history.counts();
      System.out.printf("%d calls %s%n", history.calls().size(), counts);
      counts.forEach((outcome, times) -> seen.merge(outcome, times, Long::sum));
      return violations.isEmpty()
          ? Optional.empty()
          : Optional.of(new Finding(seed, storm.steps(), violations, history));
    }
  }

  /** Whether the storm violates this rule. */
  boolean isBy(Rule rule) {
    return violations.stream().anyMatch(violation -> violation.rule() == rule);
  }

  /**
   * Looks for a violation of the same rule in storms with fewer steps, and returns the shortest
   * finding. The threads interleave differently in each storm, so this may miss a shorter one.
   */
  Finding shortened(Product product) throws IOException, InterruptedException {
    Finding shortest = this;
    int passed = 0; // steps of the longest storm without the violation
    for (int storm = 0; storm < MOST_STORMS && shortest.steps - passed > 1; storm++) {
      int steps = (shortest.steps + passed) / 2;
      Rule rule = shortest.violations.getFirst().rule();
      Optional<Finding> shorter = of(seed, product, steps).filter(it -> it.isBy(rule));
      if (shorter.isPresent()) {
        shortest = shorter.get();
      } else {
        passed = steps;
      }
    }
    return shortest;
  }

  /**
   * Up to five violations, the options that repeat the storm, and the calls and operations that may
   * explain the first violation.
   */
  @Override
  public String toString() {
    return Stream.of(
            violations.stream().limit(5).map(Violation::toString),
            Stream.of("-Dstorm.seed=%d -Dstorm.steps=%d".formatted(seed, steps)),
            history.operations().stream(),
            history.upTo(violations.getFirst(), SHOWN_CALLS).stream().map(ClientCall::summary))
        .flatMap(lines -> lines)
        .collect(Collectors.joining("\n"));
  }
}
