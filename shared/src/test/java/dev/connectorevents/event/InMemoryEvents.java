package dev.connectorevents.event;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Implements {@link Events} with a map, for tests. */
public final class InMemoryEvents implements Events {

  private final Map<UUID, Submission> events = new LinkedHashMap<>();

  @Override
  public StoreOutcome.Known store(Submission submission) {
    Submission first = events.putIfAbsent(submission.event().id(), submission);
    if (first == null) {
      return new StoreOutcome.Stored(submission.event());
    }
    return first.fingerprint().isPresent() && first.fingerprint().equals(submission.fingerprint())
        ? new StoreOutcome.Replayed(first.event())
        : new StoreOutcome.KeyReused(first.event());
  }

  public List<Submission> stored() {
    return List.copyOf(events.values());
  }
}
