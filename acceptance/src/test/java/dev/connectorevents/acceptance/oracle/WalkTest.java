package dev.connectorevents.acceptance.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.Product;
import dev.connectorevents.http.ProblemCode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Walks through the service. {@code -Dwalk.seed=7} makes only the walk of seed 7. The usual build
 * makes that of seed 1, so it does not depend on chance.
 *
 * <p>Slow: a walk has 200 steps, and each is a request to the whole service.
 */
@Order(1)
class WalkTest {

  private static final int SEED = Integer.getInteger("walk.seed", 0);
  private static final int SEEDS = Nightly.choose(1, 200);

  private static final String TESTS = "dev.connectorevents.acceptance.";

  /** Codes that no walk reaches, and the test that reaches each. */
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "406 not_acceptable",
              "journeys.ReadEventTest#an_answer_over_6_megabytes_is_compressed_for_those_who_accept_it",
          "409 feed_not_whole", "feeders.WholeFeedTest#the_feed_says_what_it_holds",
          "413 payload_too_large",
              "contract.RareAnswersTest#an_event_that_is_too_large_to_be_stored",
          "500 internal_error", "contract.ErrorsOfEveryRouteTest#a_broken_function");

  @Test
  @Promise({
    "A consumer has a user with the role `consumer`.",
    "A session ends `SessionLifetimeDays` (7) after its login.",
    "is stored durably"
  })
  void every_answer_is_allowed_and_each_code_is_reached() {
    Set<String> reached = new TreeSet<>();
    int first = SEED == 0 ? 1 : SEED;
    int last = SEED == 0 ? SEEDS : SEED;
    for (int seed = first; seed <= last; seed++) {
      Walk walk = Walk.of(seed, Product.SOUND);
      if (walk.violation().isPresent()) {
        System.out.printf("seed %d: %s%n", seed, walk); // printed first, as shortening may fail
        throw new AssertionError("seed " + seed + ": " + walk.shortened(Product.SOUND));
      }
      walk.replies().forEach(reached::addAll);
    }
    System.out.printf("%d walks reached %s%n", last - first + 1, reached);
    if (SEED == 0) {
      Set<String> unreached = codes();
      unreached.removeAll(reached);
      assertThat(unreached).isEqualTo(ELSEWHERE.keySet());
    }
  }

  /** All codes, as in {@code 404 not_found}. Other tests compare them with what is documented. */
  private static Set<String> codes() {
    return Arrays.stream(ProblemCode.values())
        .map(code -> code.status() + " " + code.text())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void the_codes_that_no_walk_reaches_have_their_tests() throws ClassNotFoundException {
    for (String test : ELSEWHERE.values()) {
      List<String> parts = List.of(test.split("#"));
      assertThat(Class.forName(TESTS + parts.getFirst()).getDeclaredMethods())
          .as(test)
          .anyMatch(method -> method.getName().equals(parts.getLast()));
    }
  }

  @Test
  @Tag("nightly")
  void a_seed_gets_the_same_replies_at_each_step_when_it_is_run_again() {
    List<Step> steps = Step.draw(1, Walk.STEPS);

    Walk first = Walk.of(steps, Product.SOUND);
    Walk again = Walk.of(steps, Product.SOUND);

    assertThat(steps).as("calls that wait").anyMatch(step -> !step.hold().isNone());
    assertThat(again.toString()).isEqualTo(first.toString());
    assertThat(first.replies()).hasSameSizeAs(steps);
  }
}
