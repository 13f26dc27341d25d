package dev.connectorevents.emulator.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.template.RateLimit;
import dev.connectorevents.emulator.template.Route;
import dev.connectorevents.emulator.template.Throttling;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteThrottlesTest {

  private static final Route LOGIN = new Route("POST", "/login", "Login");
  private static final Route ME = new Route("GET", "/me", "Me");
  private static final Route PAY = new Route("POST", "/pay", "Pay");
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private Instant now = START;
  private final InstantSource clock = () -> now;

  /**
   * Columns: the rate a second, the burst, the seconds at which requests arrive, and for each
   * request 1 if it passes, 0 if not.
   */
  @ParameterizedTest
  @CsvSource({
    "5, 5, 0 0 0 0 0, 1 1 1 1 1", // the burst passes at once
    "5, 5, 0 0 0 0 0 0 0, 1 1 1 1 1 0 0", // more requests do not pass
    "2, 1, 0 0.4 0.5 0.9 1.1, 1 0 1 0 1", // after the burst, the rate applies
    "2, 3, 0 0 0 60 60 60 60, 1 1 1 1 1 1 0", // an idle minute refills only the burst
    "0.5, 1, 0 1 2 3 4, 1 0 1 0 1", // a rate below one a second
    "4, 2, 0 0 0 0.1 0.2 0.3, 1 1 0 0 0 1", // refused requests do not count
    "1, 1, 10 9.5 10 11, 1 0 0 1", // a clock that is set back refills nothing
    "10, 0, 0 1 2, 0 0 0", // without a burst, nothing passes
    "0, 2, 0 0 0 3600, 1 1 0 0", // without a rate, nothing is refilled
  })
  void a_route_lets_its_burst_through_and_then_its_rate(
      double perSecond, int burst, String seconds, String passes) {
    RouteThrottles throttles = throttles(Map.of(LOGIN.key(), new RateLimit(perSecond, burst)));

    List<String> passed = new ArrayList<>();
    for (String second : seconds.split(" ", -1)) {
      now = START.plusMillis((long) (Double.parseDouble(second) * 1000));
      passed.add(throttles.admits(LOGIN) ? "1" : "0");
    }

    assertThat(String.join(" ", passed)).isEqualTo(passes);
  }

  @Test
  void routes_do_not_share_their_limits() {
    RouteThrottles throttles = throttles(Map.of(LOGIN.key(), new RateLimit(1, 2)));

    assertThat(List.of(throttles.admits(LOGIN), throttles.admits(LOGIN), throttles.admits(LOGIN)))
        .containsExactly(true, true, false);
    for (Route other : List.of(ME, PAY)) { // each has the default limit for itself
      assertThat(throttles.admits(other)).isTrue();
      assertThat(throttles.admits(other)).isFalse();
    }
  }

  private RouteThrottles throttles(Map<String, RateLimit> byRoute) {
    Throttling throttling = new Throttling(Optional.of(new RateLimit(1, 1)), byRoute);
    return new RouteThrottles(List.of(LOGIN, ME, PAY), throttling, clock);
  }
}
