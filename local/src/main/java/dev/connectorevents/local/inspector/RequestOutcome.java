package dev.connectorevents.local.inspector;

import dev.connectorevents.http.Fault;
import java.util.List;

/**
 * What became of a request. The page gets it as JSON, and tells the kinds apart by their members.
 */
sealed interface RequestOutcome {

  /** The broken rules, at most 100. */
  default List<Fault> faults() {
    return List.of();
  }

  /** The service has answered with a problem. */
  record Refusal(String code, String detail, List<Fault> faults) implements RequestOutcome {}

  /**
   * The service has judged each event of a batch.
   *
   * @param events what became of each
   * @param faults the broken rules of its events, and their other problems
   */
  record BatchOfEvents(List<NoteKind> events, List<Fault> faults) implements RequestOutcome {}

  /** The answer is an event: a new one, one stored before, or one that was read. */
  record OneEvent(String eventId, boolean isReplayed) implements RequestOutcome {}

  /** The answer names the keys without an event. */
  record MissingKeys(int missing) implements RequestOutcome {}

  /** The answer is anything else. */
  record NoEvent() implements RequestOutcome {}
}
