package dev.connectorevents.acceptance.defects;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.defects.PlantedDefect.Finder;
import dev.connectorevents.acceptance.feeders.FeedWalk;
import dev.connectorevents.acceptance.feeders.WholeCourse;
import dev.connectorevents.acceptance.oracle.Walk;
import dev.connectorevents.acceptance.service.Product;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlantedDefectsTest {

  /** A walk takes about 3 s. Most defects are found by the first seed. */
  private static final int MOST_WALKS = 20;

  /** Feeders take less: what they find needs rare orders of calls. */
  private static final int MOST_FEEDS = 200;

  @ParameterizedTest
  @EnumSource
  void a_defect_changes_a_line_of_the_source(PlantedDefect defect) throws IOException {
    assertThat(defect.changedSource()).isNotEmpty();
  }

  @Test
  void the_page_counts_the_defects() throws IOException {
    Map<Finder, Long> found =
        Arrays.stream(PlantedDefect.values()).collect(groupingBy(it -> it.finder, counting()));

    assertThat(Files.readString(Path.of("../docs/how-we-know.md")).replaceAll("\\s+", " "))
        .contains("plants %d defects".formatted(PlantedDefect.values().length))
        .contains(
            "Walks must find %d within twenty seeds, feeders %d within %d, and the courses of `WholeFeedTest` %d."
                .formatted(
                    found.get(Finder.WALK),
                    found.get(Finder.FEED),
                    MOST_FEEDS,
                    found.get(Finder.COURSE)));
  }

  @ParameterizedTest
  @EnumSource
  @Tag("nightly")
  void a_planted_defect_is_found_by_a_walk_or_feeders(PlantedDefect defect, @TempDir Path folder)
      throws Exception {
    Product product = defect.product(folder);
    long start = System.nanoTime();

    Optional<String> found =
        switch (defect.finder) {
          case WALK -> byWalk(product);
          case FEED -> byFeed(product);
          case COURSE -> byCourse(product);
        };

    assertThat(found).isPresent();
    long seconds = (System.nanoTime() - start) / 1_000_000_000;
    System.out.printf("%s, after %d s, by %s%n", defect, seconds, found.get());
  }

  private static Optional<String> byWalk(Product product) {
    for (int seed = 1; seed <= MOST_WALKS; seed++) {
      Walk walk = Walk.of(seed, product);
      if (walk.violation().isPresent()) {
        return Optional.of(
            "walk %d in step %d: %s"
                .formatted(seed, walk.replies().size(), walk.violation().get()));
      }
    }
    return Optional.empty();
  }

  private static Optional<String> byFeed(Product product) {
    for (int seed = 1; seed <= MOST_FEEDS; seed++) {
      Optional<String> violation = FeedWalk.violationOf(seed, product);
      if (violation.isPresent()) {
        return Optional.of("feeders " + seed + ": " + violation.get());
      }
    }
    return Optional.empty();
  }

  private static Optional<String> byCourse(Product product) {
    return WholeCourse.all()
        .flatMap(course -> WholeCourse.violationOf(course, product).stream())
        .findFirst();
  }
}
