package dev.connectorevents.event;

import dev.connectorevents.DependencyUnavailableException;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

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
   * @param next where to go on; empty after the last one
   */
  record Copied(int restored, int kept, Optional<String> next) {}

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
   * Puts tombstones in place of those events of the restored table that an erasure has selected,
   * where the service has nothing under their ids. Then no copy brings them back.
   *
   * @return how many tombstones were put
   */
  int erase(String table, Erasure erasure, Set<UUID> ids);
}
