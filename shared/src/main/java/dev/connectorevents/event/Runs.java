package dev.connectorevents.event;

import dev.connectorevents.DependencyUnavailableException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * What the calls of a restore or of a fill have come to. A caller names a run and a step of it, and
 * is believed about nothing else.
 *
 * <p>Every method throws {@link DependencyUnavailableException} if the store does not answer.
 */
public interface Runs {

  /**
   * A run.
   *
   * @param kind of the work
   * @param request of what was asked for: only the same request goes on with it
   * @param step the number of the next one; from 1
   * @param place where it begins, in the words of the work; empty if the run has ended
   */
  record Run(
      UUID id, String kind, SaltedHash request, Instant begun, int step, Optional<String> place) {

    /** After its next step. */
    public Run after(Optional<String> next) {
      return new Run(id, kind, request, begun, step + 1, next);
    }
  }

  /** Writes a run that begins. */
  void begin(Run run);

  Optional<Run> find(UUID id);

  /**
   * Writes where a step has ended, unless the run is past it.
   *
   * @return what is there now
   */
  Run move(Run run, Optional<String> next);
}
