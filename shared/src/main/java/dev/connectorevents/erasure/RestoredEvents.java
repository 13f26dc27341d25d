package dev.connectorevents.erasure;

import dev.connectorevents.DependencyUnavailableException;
import java.util.List;
import java.util.Optional;

/**
 * The events of a table that was restored from a backup, for copying them into the table of the
 * service. Every method may be repeated.
 *
 * <p>Every method throws {@link DependencyUnavailableException} if the store does not answer.
 */
public interface RestoredEvents {

  /**
   * What became of some events of the restored table.
   *
   * @param restored how many were copied
   * @param kept how many were not, since the service has something under their ids: the event, a
   *     newer one, or a tombstone
   * @param notCopied those that cannot be copied. They do not keep the others from it
   * @param next where to go on; empty after the last one
   */
  record Copied(int restored, int kept, List<NotCopied> notCopied, Optional<String> next) {
    public Copied {
      notCopied = List.copyOf(notCopied);
    }
  }

  /**
   * An event that cannot be copied, however often one tries.
   *
   * @param reason says why, for the operator: nothing of the event
   */
  record NotCopied(String id, String reason) {}

  /** Whether there is such a table, and the service may read it. */
  boolean isThere(String table);

  /** Why {@link #isThere} refuses a name, as a rule for it. */
  String rule();

  /**
   * Copies some events as they are, with their {@code created_at}, where the service has nothing
   * under their ids. Leaves out what has expired. A tombstone gets the time of its write.
   *
   * @param after the {@code next} of the call before; empty for the first call
   */
  Copied copy(String table, Optional<String> after);

  /**
   * Puts tombstones where the service has nothing under the ids that an erasure has selected: in
   * place of events of the restored table, so that no copy brings them back; and for keys of events
   * that are younger than the backup, if the step is closed: then they were erased.
   *
   * @return how many tombstones were put
   */
  int erase(String table, Erasure erasure, ErasureLedger.Step step);
}
