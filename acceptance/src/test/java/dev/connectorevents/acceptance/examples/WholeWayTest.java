package dev.connectorevents.acceptance.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.CommandOnPath;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The whole way of an event, from GitHub or Stripe to a consumer's signals. Meanwhile connectors
 * are killed, a gateway loses answers, the service restarts, and {@code complete.py} runs. Two
 * seeds run at the same time.
 */
@Tag("nightly") // by day, the exam, ConsumerTest and test_complete.py ask each of its parts
@Execution(ExecutionMode.CONCURRENT)
class WholeWayTest {

  private static final int DELIVERIES = 1_000;
  private static final int KILLS = 50;

  @TempDir private Path folder;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 20);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void every_delivery_is_stored_once_and_byte_for_byte(long seed) throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    try (WholeWay way = new WholeWay(folder, seed)) {
      way.deliver(DELIVERIES, KILLS);
      way.completeUntilNothingIsMissing();

      for (WholeWay.Channel channel : way.channels()) {
        assertThat(channel.stored())
            .as(channel.provider.source())
            .containsExactlyInAnyOrderElementsOf(channel.delivered());
      }
      assertThat(way.signals()).hasSize(way.channels().size());
      System.out.printf(
          "Seed %d: %d deliveries, %d failed at first, %d kills, complete.py brought %d%n",
          seed, DELIVERIES, way.failures(), KILLS, way.brought());
    }
  }
}
