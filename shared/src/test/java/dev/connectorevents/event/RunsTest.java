package dev.connectorevents.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.event.Runs.Run;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The sentences that all {@link Runs} hold: the service's, and those of its tests. */
public abstract class RunsTest {

  private static final Instant BEGUN = Instant.parse("2026-11-20T12:00:00.123Z");

  private final Runs runs;
  private final Run run =
      new Run(
          UUID.randomUUID(),
          "fill",
          SaltedHash.of("request", "salt"),
          BEGUN,
          1,
          Optional.of("a place"));

  protected RunsTest(Runs runs) {
    this.runs = runs;
  }

  @Test
  void a_run_is_found_as_it_was_written_and_moves_to_its_end() {
    assertThat(runs.find(run.id())).isEmpty();
    runs.begin(run);
    assertThat(runs.find(run.id())).contains(run);

    Run moved = runs.move(run, Optional.of("another place"));
    assertThat(moved).isEqualTo(run.after(Optional.of("another place")));
    Run ended = runs.move(moved, Optional.empty());

    assertThat(ended.step()).isEqualTo(3);
    assertThat(runs.find(run.id())).contains(ended);
  }

  @Test
  void of_two_calls_of_a_step_the_first_says_where_it_ends() {
    runs.begin(run);
    Run first = runs.move(run, Optional.of("a place of the first"));

    assertThat(runs.move(run, Optional.of("a place of the second"))).isEqualTo(first);
    assertThat(runs.find(run.id())).contains(first);
  }
}
