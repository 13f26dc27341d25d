package dev.connectorevents.erasure;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.feed.ItemVersion;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The stored events and tombstones, for giving new positions to those that the feed lacks. The
 * store's stream then hands them over once more, and they get their positions as all others do.
 */
public interface RenumberedEvents {

  /**
   * What became of some items.
   *
   * @param searched how many of the time there were
   * @param renumbered how many of them the feed lacked
   * @param next where to go on; empty after the last one
   */
  record Renumbered(int searched, int renumbered, Optional<String> next) {}

  /**
   * Renumbers some of the events that were created, erased or renumbered in a time. An item that
   * changes meanwhile is left alone: its change is in the stream.
   *
   * @param from included
   * @param to excluded
   * @param begun what was renumbered since then is left alone
   * @param isKnown whether the feed has an item
   * @param after the {@code next} of the call before; empty for the first call
   * @throws DependencyUnavailableException if the store does not answer
   */
  Renumbered renumber(
      Instant from,
      Instant to,
      Instant begun,
      Predicate<ItemVersion> isKnown,
      Optional<String> after);
}
