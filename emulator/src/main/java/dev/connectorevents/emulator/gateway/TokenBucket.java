package dev.connectorevents.emulator.gateway;

import dev.connectorevents.emulator.template.RateLimit;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Holds a token for each request that may pass; full at first, then refilled at the limit's rate.
 */
final class TokenBucket {
  private final RateLimit limit;
  private final InstantSource clock;
  private double tokens;
  private Instant refilled;

  TokenBucket(RateLimit limit, InstantSource clock) {
    this.limit = limit;
    this.clock = clock;
    this.tokens = limit.burst();
    this.refilled = clock.instant();
  }

  /** Takes a token, unless there is none. */
  synchronized boolean take() {
    refill();
    if (tokens < 1) {
      return false;
    }
    tokens--;
    return true;
  }

  private void refill() {
    Instant now = clock.instant();
    // A clock that was set back adds nothing.
    double seconds = Math.max(0, Duration.between(refilled, now).toNanos() / 1e9);
    tokens = Math.min(limit.burst(), tokens + seconds * limit.perSecond());
    refilled = now;
  }
}
