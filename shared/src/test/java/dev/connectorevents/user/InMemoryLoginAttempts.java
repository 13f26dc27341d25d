package dev.connectorevents.user;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Counts failed logins by address and source, for tests. Only a success resets a count. */
public final class InMemoryLoginAttempts implements LoginAttempts {

  private record Origin(Email email, String source) {}

  private final Map<Origin, Integer> failures = new HashMap<>();

  @Override
  public synchronized Optional<Duration> toWait(Email email, String source) {
    return failures.getOrDefault(new Origin(email, source), 0) < MAX_FAILURES
        ? Optional.empty()
        : Optional.of(WINDOW);
  }

  @Override
  public synchronized Optional<Duration> failed(Email email, String source) {
    Optional<Duration> toWait = toWait(email, source);
    if (toWait.isEmpty()) {
      failures.merge(new Origin(email, source), 1, Integer::sum);
    }
    return toWait;
  }

  @Override
  public synchronized Optional<Duration> succeeded(Email email, String source) {
    Optional<Duration> toWait = toWait(email, source);
    if (toWait.isEmpty()) {
      failures.remove(new Origin(email, source));
    }
    return toWait;
  }
}
