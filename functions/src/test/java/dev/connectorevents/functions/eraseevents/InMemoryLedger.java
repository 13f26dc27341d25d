package dev.connectorevents.functions.eraseevents;

import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

final class InMemoryLedger implements ErasureLedger {

  final Map<UUID, Erasure> erasures = new LinkedHashMap<>();

  /** The ids of each page, by the erasure's id and the page's number: {@code ERASURE#1}. */
  final Map<String, Set<UUID>> pages = new LinkedHashMap<>();

  @Override
  public void put(Erasure erasure) {
    erasures.put(erasure.id(), erasure);
  }

  @Override
  public Optional<Erasure> find(UUID erasureId) {
    return Optional.ofNullable(erasures.get(erasureId));
  }

  @Override
  public Page list(Optional<String> after) {
    return new Page(List.copyOf(erasures.values()), Optional.empty());
  }

  @Override
  public boolean add(UUID erasureId, int page, Set<UUID> ids) {
    return pages.putIfAbsent(erasureId + "#" + page, ids) == null;
  }

  @Override
  public void correct(UUID erasureId, int page, Set<UUID> ids) {
    pages.put(erasureId + "#" + page, ids);
  }

  @Override
  public Optional<Set<UUID>> ids(UUID erasureId, int page) {
    return Optional.ofNullable(pages.get(erasureId + "#" + page));
  }
}
