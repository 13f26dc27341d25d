package dev.connectorevents.emulator.gateway;

import dev.connectorevents.emulator.template.RateLimit;
import dev.connectorevents.emulator.template.Route;
import dev.connectorevents.emulator.template.Throttling;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Enforces the limit of each route with a token bucket. */
final class RouteThrottles {
  private final Map<Route, TokenBucket> buckets = new HashMap<>();
  private final InstantSource clock;

  RouteThrottles(List<Route> routes, Throttling throttling, InstantSource clock) {
    this.clock = clock;
    for (Route route : routes) {
      throttling.of(route).ifPresent(limit -> buckets.put(route, new TokenBucket(limit)));
    }
  }

  boolean admits(Route route) {
    TokenBucket bucket = buckets.get(route);
    return bucket == null || bucket.take();
  }

  /** Full at first. A request takes a token, and the limit's rate refills them. */
  private final class TokenBucket {
    private final RateLimit limit;
    private double tokens;
    private Instant refilled = clock.instant();

    TokenBucket(RateLimit limit) {
      this.limit = limit;
      this.tokens = limit.burst();
    }

    synchronized boolean take() {
      Instant now = clock.instant();
      // The clock may have been set back.
      double seconds = Math.max(0, Duration.between(refilled, now).toNanos() / 1e9);
      tokens = Math.min(limit.burst(), tokens + seconds * limit.perSecond());
      refilled = now;
      boolean isAdmitted = tokens >= 1;
      tokens -= isAdmitted ? 1 : 0;
      return isAdmitted;
    }
  }
}
