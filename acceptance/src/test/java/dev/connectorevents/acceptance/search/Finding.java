package dev.connectorevents.acceptance.search;

import dev.connectorevents.acceptance.service.Product;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A run with violations.
 *
 * @param steps the largest number of steps that one of the workers made
 */
record Finding(long seed, int steps, List<Violation> violations, CallHistory history) {

  private static final Duration LENGTH = Duration.ofSeconds(5);

  /**
   * The largest number of runs for shortening a finding. So many halvings shorten a run of 5 s to a
   * few steps.
   */
  private static final int MOST_RUNS = 8;

  /** The largest number of calls that {@link #toString} shows. */
  private static final int SHOWN_CALLS = 30;

  static Optional<Finding> of(long seed, Product product, int steps)
      throws IOException, InterruptedException {
    return of(seed, product, steps, new HashMap<>());
  }

  /**
   * Runs the service under load with this seed. Returns empty if the run has no violation.
   *
   * @param steps the largest number of steps for each worker
   * @param seen counts as in {@link CallHistory#counts}; the run adds its own counts to these
   */
  static Optional<Finding> of(long seed, Product product, int steps, Map<String, Long> seen)
      throws IOException, InterruptedException {
    System.out.println("seed " + seed);
    try (Run run = new Run(seed, product)) {
      List<Violation> violations = run.violations(LENGTH, steps);
      CallHistory history = run.history();
      Map<String, Long> counts = history.counts();
      System.out.printf("%d calls %s%n", history.calls().size(), counts);
      counts.forEach((outcome, times) -> seen.merge(outcome, times, Long::sum));
      return violations.isEmpty()
          ? Optional.empty()
          : Optional.of(new Finding(seed, run.steps(), violations, history));
    }
  }

  /** Whether the run violates one of these rules. */
  boolean isBy(Set<Rule> rules) {
    return violations.stream().map(Violation::rule).anyMatch(rules::contains);
  }

  /**
   * Looks for a violation of the same rule in runs with fewer steps, and returns the shortest
   * finding. The threads interleave differently in each run, so this may miss a shorter one.
   */
  Finding shortened(Product product) throws IOException, InterruptedException {
    Finding shortest = this;
    int passed = 0; // steps of the longest run without the violation
    for (int run = 0; run < MOST_RUNS && shortest.steps - passed > 1; run++) {
      int steps = (shortest.steps + passed) / 2;
      Set<Rule> rule = Set.of(shortest.violations.getFirst().rule());
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
   * Up to five violations, the options that repeat the run, and the calls and operations that may
   * explain the first violation.
   */
  @Override
  public String toString() {
    return Stream.of(
            violations.stream().limit(5).map(Violation::toString),
            Stream.of("-Dhistory.seed=%d -Dhistory.steps=%d".formatted(seed, steps)),
            violations.getFirst().call().map(ClientCall::account).stream()
                .flatMap(account -> history.operations(account).stream()),
            history.upTo(violations.getFirst(), SHOWN_CALLS).stream().map(ClientCall::summary))
        .flatMap(lines -> lines)
        .collect(Collectors.joining("\n"));
  }
}
