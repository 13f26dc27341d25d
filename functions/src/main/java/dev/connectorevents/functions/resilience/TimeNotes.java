package dev.connectorevents.functions.resilience;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a request saw that could make a list or a feed miss an event: members of its log line, which
 * an alarm counts. Of several values, the worst one.
 */
public final class TimeNotes {

  private final Map<String, Long> worst = new ConcurrentHashMap<>();

  /** Notes by how much this machine's clock is wrong: it is fast if this is positive. */
  void clockSkew(Duration skew) {
    note("clock_skew_ms", skew);
  }

  /** Notes how long after its {@code created_at} a write ended. */
  void lateWrite(Duration after) {
    note("late_write_ms", after);
  }

  private void note(String name, Duration value) {
    worst.merge(
        name, value.toMillis(), (one, other) -> Math.abs(one) < Math.abs(other) ? other : one);
  }

  /** The members of the log line: usually none. {@code times_off} is there to be counted. */
  public Map<String, Long> members() {
    if (worst.isEmpty()) {
      return Map.of();
    }
    Map<String, Long> members = new TreeMap<>(worst);
    members.put("times_off", 1L);
    return members;
  }
}
