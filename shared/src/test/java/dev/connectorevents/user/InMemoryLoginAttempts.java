package dev.connectorevents.user;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Login attempts for tests: a count by address and source, which only a success ends. */
public final class InMemoryLoginAttempts implements LoginAttempts {

  private record Origin(Email email, String source) {}

  private final Map<Origin, Integer> counts = new HashMap<>();

  @Override
  public Optional<Duration> begin(Email email, String source) {
    return counts.merge(new Origin(email, source), 1, Integer::sum) > MAX_PER_SOURCE
        ? Optional.of(WINDOW)
        : Optional.empty();
  }

  @Override
  public void succeeded(Email email, String source) {
    counts.remove(new Origin(email, source));
  }
}
