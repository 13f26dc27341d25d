package dev.connectorevents.user;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how a {@link Revocation} moves a user's {@code tokensValidFrom}. */
class TokensValidFromTest {

  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  /** All times are seconds after noon. */
  @ParameterizedTest
  @CsvSource({
    // stored, from, latest, new
    "-1,  0, 30, 0",
    " 0,  0, 30, 1",
    " 5,  0, 30, 6",
    "29,  0, 30, 30",
    "30,  0, 30,",
    "-1, 30, 30, 30",
    "-1, 31, 30,",
  })
  void a_revocation_moves_it_forward_but_not_past_the_latest_time(
      int stored, int from, int latest, Integer next) {
    Revocation revocation = new Revocation(NOON.plusSeconds(from), NOON.plusSeconds(latest));

    assertThat(revocation.after(NOON.plusSeconds(stored)))
        .isEqualTo(Optional.ofNullable(next).map(NOON::plusSeconds));
  }
}
