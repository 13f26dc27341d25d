package dev.connectorevents.functions.eraseevents;

import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;

final class InMemoryLedger implements ErasureLedger {

  static final int PROOFS_OF_A_PAGE = 2;

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
    List<Erasure> rest =
        erasures.values().stream()
            .dropWhile(it -> after.isPresent() && !it.id().toString().equals(after.get()))
            .skip(after.isPresent() ? 1 : 0)
            .toList();
    List<Erasure> page = rest.subList(0, Math.min(PROOFS_OF_A_PAGE, rest.size()));
    return new Page(
        page,
        rest.size() > page.size() ? Optional.of(page.getLast().id().toString()) : Optional.empty());
  }

  @Override
  public boolean addNotJudged(UUID erasureId, Set<UUID> ids) {
    Erasure erasure = erasures.get(erasureId);
    SortedSet<UUID> all = new TreeSet<>(Comparator.comparing(UUID::toString));
    all.addAll(erasure.notJudged());
    all.addAll(ids);
    if (all.size() > Erasure.MAX_NOT_JUDGED) {
      return false;
    }
    if (erasure.proof().isEmpty()) {
      erasures.put(
          erasureId,
          new Erasure(
              erasureId,
              erasure.reason(),
              erasure.selectorKind(),
              erasure.brand(),
              erasure.isNarrowed(),
              erasure.begun(),
              erasure.lagAssumed(),
              List.copyOf(all),
              erasure.proof()));
    }
    return true;
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
