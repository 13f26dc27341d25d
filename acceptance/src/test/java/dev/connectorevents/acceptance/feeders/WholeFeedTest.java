package dev.connectorevents.acceptance.feeders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.Product;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Slow: each course starts a service, and each of its beats writes, streams and notes 64 marks. */
class WholeFeedTest {

  static Stream<String> courses() {
    return WholeCourse.all();
  }

  @ParameterizedTest
  @MethodSource("courses")
  @Promise("The feed does not have all that the erasure needs, or is another one")
  void the_feed_says_what_it_holds(String course) {
    assertThat(WholeCourse.violationOf(course, Product.SOUND)).isEmpty();
  }
}
