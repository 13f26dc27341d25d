package dev.connectorevents.functions.eraseevents;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** What one call has done so far. A call that fails in between has its figures in the log. */
final class CallFigures {

  private Optional<UUID> erasureId = Optional.empty();
  private final List<UUID> matched = new ArrayList<>();
  private final Set<UUID> notJudged = new LinkedHashSet<>();
  private int erased;

  void of(UUID id) {
    erasureId = Optional.of(id);
  }

  /** Adds a page of the selection. */
  void add(Selection.Page page) {
    page.events().forEach(event -> matched.add(event.id()));
    notJudged.addAll(page.notJudged());
  }

  /** Adds events that have a tombstone of this erasure now. */
  void addErased(int count) {
    erased += count;
  }

  Optional<UUID> erasureId() {
    return erasureId;
  }

  /** The ids of the events that this call has selected. */
  List<UUID> matched() {
    return matched;
  }

  /** The ids of the events that the conditions could not judge in this call. */
  Set<UUID> notJudged() {
    return notJudged;
  }

  int erased() {
    return erased;
  }

  void log(Map<String, Object> line) {
    erasureId.ifPresent(id -> line.put("erasure_id", id.toString()));
    line.put("matched", matched.size());
    line.put("erased", erased);
    line.put("not_judged", notJudged.size());
  }
}
