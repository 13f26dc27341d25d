package dev.connectorevents;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.NullMarked;

/** A clock that stands still until a test moves it. */
@NullMarked
public final class AdjustableClock extends Clock {

  private Instant now;

  public AdjustableClock(String now) {
    this.now = Instant.parse(now);
  }

  public void advance(Duration duration) {
    now = now.plus(duration);
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("this clock has no time zone");
  }
}
