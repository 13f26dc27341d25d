package dev.connectorevents.functions.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.http.Response;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.crac.Core;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rounds of a rehearsal: their time, their reads, and the retries of these. */
@ResourceLock(Resources.SYSTEM_OUT)
class RehearsalRoundsTest {

  private static final Response SUCCESS = Response.json(200, Map.of());

  /** Lambda's time limit for an initialization. The rehearsal is its longest part. */
  private static final Duration INITIALIZATION_LIMIT = Duration.ofSeconds(130);

  /** The number of reads in a rehearsal without failures. */
  private static final int READS =
      RehearsalScript.withoutBody().rounds() / RehearsalRounds.ROUNDS_PER_READ;

  @AutoClose private final RehearsalWorld world;

  RehearsalRoundsTest() throws IOException {
    world = new RehearsalWorld();
  }

  @ParameterizedTest
  @CsvSource({"0, 1, 1", "0, 20, 20", "5, 25, 20", "19, 20, 1"})
  void a_read_that_fails_for_less_than_a_minute_is_retried_after_pauses(
      int from, int to, int pausesMade) {
    world.refuseReads(from, to);

    world.rehearsal(request -> SUCCESS).beforeCheckpoint(Core.getGlobalContext());

    assertThat(world.pauses).hasSize(pausesMade).containsOnly(RehearsalRounds.PAUSE);
    assertThat(world.calls).hasSize(READS + pausesMade);
  }

  @ParameterizedTest
  @CsvSource({"0, 21", "10, 31"})
  void a_table_that_refuses_reads_for_a_minute_fails_the_snapshot(int from, int reads) {
    world.refuseReads(from, Integer.MAX_VALUE);

    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(
            () -> world.rehearsal(request -> SUCCESS).beforeCheckpoint(Core.getGlobalContext()))
        .withMessageContaining("GetItem on users");
    assertThat(world.pauses.stream().reduce(Duration.ZERO, Duration::plus))
        .isEqualTo(RehearsalRounds.RETRY_PERIOD);
    assertThat(world.calls).hasSize(reads);
  }

  /** Lambda also makes snapshots anew while a version serves requests. */
  @ParameterizedTest
  @CsvSource({"500, 0", "503, 0", "503, 10"})
  void a_table_that_is_down_for_a_minute_fails_no_snapshot_and_is_asked_no_more(
      int status, int from) {
    world.failReads(status, from, Integer.MAX_VALUE);
    AtomicInteger requests = new AtomicInteger();

    world
        .rehearsal(request -> {
          requests.incrementAndGet();
          return SUCCESS;
        })
        .beforeCheckpoint(Core.getGlobalContext());

    assertThat(requests).hasValue(RehearsalScript.withoutBody().rounds());
    assertThat(world.pauses.stream().reduce(Duration.ZERO, Duration::plus))
        .isEqualTo(RehearsalRounds.RETRY_PERIOD);
  }

  @ParameterizedTest
  @CsvSource({"10, 5", "44, 2", "45, 1", "100, 1"})
  void no_round_begins_when_45_seconds_are_over(int secondsPerRound, int rounds) {
    AtomicInteger requests = new AtomicInteger();

    world
        .rehearsal(request -> {
          requests.incrementAndGet();
          world.clock.advance(Duration.ofSeconds(secondsPerRound));
          return SUCCESS;
        })
        .beforeCheckpoint(Core.getGlobalContext());

    assertThat(requests).hasValue(rounds);
    assertThat(world.calls).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"0, 20", "5, 25"})
  void a_wait_for_the_table_takes_no_time_of_the_rounds(int from, int to) {
    world.refuseReads(from, to);

    world
        .rehearsal(request -> {
          world.clock.advance(Duration.ofMillis(20));
          return SUCCESS;
        })
        .beforeCheckpoint(Core.getGlobalContext());

    assertThat(world.calls).hasSize(READS + 20);
  }

  @Test
  void a_read_that_fails_when_the_time_is_nearly_over_fails_the_snapshot() {
    world.refuseReads(1, Integer.MAX_VALUE);
    Instant start = world.clock.instant();
    // The second read follows round 101, after 44.4 s.
    Rehearsal slow =
        world.rehearsal(request -> {
          world.clock.advance(Duration.ofMillis(440));
          return SUCCESS;
        });

    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> slow.beforeCheckpoint(Core.getGlobalContext()));
    assertThat(Duration.between(start, world.clock.instant()))
        .isBetween(Duration.ofSeconds(100), INITIALIZATION_LIMIT.minusSeconds(20));
  }
}
