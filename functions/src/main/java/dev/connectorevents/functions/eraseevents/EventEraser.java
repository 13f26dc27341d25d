package dev.connectorevents.functions.eraseevents;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.SideBySide;
import dev.connectorevents.event.ErasableEvent;
import dev.connectorevents.event.ErasableEvents;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Erases single events. An event that is replaced meanwhile is judged anew. */
final class EventEraser {

  /** Tries to erase an event that is replaced meanwhile. */
  private static final int MAX_TRIES = 5;

  private final ErasableEvents events;
  private final SideBySide sideBySide;

  EventEraser(ErasableEvents events, SideBySide sideBySide) {
    this.events = events;
    this.sideBySide = sideBySide;
  }

  /**
   * Erases events of a selection.
   *
   * @param begun when the erasure began; only events that were created before this are erased
   * @return how many of them have a tombstone of this erasure now
   */
  int erase(List<ErasableEvent> selected, Selection selection, UUID erasureId, Instant begun) {
    List<Boolean> erased =
        sideBySide.run(selected, event -> erase(event, selection, erasureId, begun));
    return (int) erased.stream().filter(isErased -> isErased).count();
  }

  private boolean erase(ErasableEvent event, Selection selection, UUID erasureId, Instant begun) {
    ErasableEvent current = event;
    for (int i = 0; i < MAX_TRIES; i++) {
      switch (events.erase(current, erasureId)) {
        case ERASED -> {
          return true;
        }
        case EXPIRED -> {
          return false;
        }
        case CHANGED -> {
          Optional<ErasableEvent> replacement =
              events
                  .read(event.id())
                  .filter(other -> other.createdAt().isBefore(begun))
                  .filter(selection::selectsReplacement);
          if (replacement.isEmpty()) {
            return false;
          }
          current = replacement.get();
        }
      }
    }
    throw new DependencyUnavailableException("an event changes again and again");
  }
}
