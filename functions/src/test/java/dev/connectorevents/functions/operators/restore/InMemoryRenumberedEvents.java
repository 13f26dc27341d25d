package dev.connectorevents.functions.operators.restore;

import dev.connectorevents.erasure.RenumberedEvents;
import dev.connectorevents.feed.ItemVersion;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Events and tombstones in memory, searched in pages of {@value #PAGE}. */
final class InMemoryRenumberedEvents implements RenumberedEvents {

  static final int PAGE = 10;

  private final NavigableMap<String, ItemVersion> items = new TreeMap<>();
  private final InstantSource clock;

  /** Runs before each page. */
  Runnable beforePage = () -> {};

  InMemoryRenumberedEvents(InstantSource clock) {
    this.clock = clock;
  }

  ItemVersion put(ItemVersion item) {
    items.put(item.id().toString(), item);
    return item;
  }

  /** Those that were given a new position at this time. */
  List<ItemVersion> renumberedAt(Instant time) {
    return items.values().stream()
        .filter(item -> item.renumberedAt().equals(Optional.of(time)))
        .toList();
  }

  @Override
  public Renumbered renumber(
      Instant from,
      Instant to,
      Instant begun,
      Predicate<ItemVersion> isKnown,
      Optional<String> after) {
    beforePage.run();
    List<ItemVersion> rest = List.copyOf(items.tailMap(after.orElse(""), false).values());
    List<ItemVersion> page = rest.subList(0, Math.min(PAGE, rest.size()));
    List<ItemVersion> searched =
        page.stream().filter(item -> !item.at().isBefore(from) && item.at().isBefore(to)).toList();
    List<ItemVersion> unknown =
        searched.stream()
            .filter(item -> item.renumberedAt().filter(at -> !at.isBefore(begun)).isEmpty())
            .filter(item -> !isKnown.test(item))
            .toList();
    unknown.forEach(
        item -> put(new ItemVersion(item.id(), item.at(), Optional.of(clock.instant()))));
    return new Renumbered(
        searched.size(),
        unknown.size(),
        rest.size() > PAGE ? Optional.of(page.getLast().id().toString()) : Optional.empty());
  }
}
