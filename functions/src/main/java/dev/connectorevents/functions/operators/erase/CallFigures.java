package dev.connectorevents.functions.operators.erase;

import dev.connectorevents.erasure.ErasureJson;
import dev.connectorevents.erasure.ErasureLedger.Step;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** What one call has done so far. A call that fails in between has its figures in the log. */
final class CallFigures {

  private Optional<UUID> erasureId = Optional.empty();
  private Set<UUID> matched = Set.of();
  private Set<UUID> notJudged = Set.of();
  private int erased;

  void of(UUID id) {
    erasureId = Optional.of(id);
  }

  void of(Step step) {
    matched = step.ids();
    notJudged = step.notJudged();
  }

  /** Counts an event that this call has erased. */
  void erased() {
    erased++;
  }

  void put(Map<String, Object> answer) {
    erasureId.ifPresent(id -> answer.put("erasure_id", id.toString()));
    answer.put("matched", matched.size());
    answer.put("erased", erased);
    answer.put("ids", ErasureJson.texts(matched));
    ErasureJson.putIds(answer, "not_judged", notJudged);
  }

  void log(Map<String, Object> line) {
    erasureId.ifPresent(id -> line.put("erasure_id", id.toString()));
    line.put("matched", matched.size());
    line.put("erased", erased);
    if (!notJudged.isEmpty()) {
      line.put("not_judged", notJudged.size());
    }
  }
}
