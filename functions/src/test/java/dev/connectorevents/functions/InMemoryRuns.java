package dev.connectorevents.functions;

import dev.connectorevents.event.Runs;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

public final class InMemoryRuns implements Runs {

  private final Map<UUID, Run> runs = new HashMap<>();

  @Override
  public void begin(Run run) {
    runs.put(run.id(), run);
  }

  @Override
  public Optional<Run> find(UUID id) {
    return Optional.ofNullable(runs.get(id));
  }

  @Override
  public Run move(Run run, Optional<String> next) {
    runs.replace(run.id(), run, run.after(next));
    return runs.get(run.id());
  }
}
