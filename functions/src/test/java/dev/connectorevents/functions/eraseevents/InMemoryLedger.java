package dev.connectorevents.functions.eraseevents;

import static java.util.Objects.requireNonNull;

import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

final class InMemoryLedger implements ErasureLedger {

  static final int PROOFS_OF_A_PAGE = 2;

  final Map<UUID, Erasure> erasures = new LinkedHashMap<>();

  /** What is under each number, by the erasure's id. */
  private final Map<UUID, NavigableMap<Integer, Entry>> entries = new LinkedHashMap<>();

  private final Map<UUID, NavigableMap<Integer, Digests>> blocks = new LinkedHashMap<>();

  /** Runs before each entry is read. */
  Runnable beforeRead = () -> {};

  /** All entries of an erasure, in order. */
  List<Entry> entries(UUID erasureId) {
    return List.copyOf(of(erasureId).values());
  }

  /** The ids of all erasures' pages. */
  List<Set<UUID>> pages() {
    return entries.values().stream()
        .flatMap(it -> it.values().stream())
        .filter(entry -> !(entry instanceof Entry.End))
        .map(Entry::ids)
        .toList();
  }

  private NavigableMap<Integer, Entry> of(UUID erasureId) {
    return entries.computeIfAbsent(erasureId, id -> new TreeMap<>());
  }

  @Override
  public void begin(Erasure erasure) {
    erasures.put(erasure.id(), erasure);
  }

  @Override
  public boolean addNotJudged(UUID erasureId, Set<UUID> ids) {
    Erasure erasure = requireNonNull(erasures.get(erasureId));
    List<UUID> all =
        Stream.concat(erasure.notJudged().stream(), ids.stream()).sorted().distinct().toList();
    if (all.size() > Erasure.MAX_NOT_JUDGED) {
      return false;
    }
    change(erasure, all, Optional.empty());
    return true;
  }

  @Override
  public void end(UUID erasureId, Erasure.Proof proof) {
    Erasure erasure = requireNonNull(erasures.get(erasureId));
    change(erasure, erasure.notJudged(), Optional.of(proof));
  }

  private void change(Erasure erasure, List<UUID> notJudged, Optional<Erasure.Proof> proof) {
    if (erasure.proof().isEmpty()) {
      erasures.put(
          erasure.id(),
          new Erasure(
              erasure.id(),
              erasure.reason(),
              erasure.selectorKind(),
              erasure.brand(),
              erasure.isNarrowed(),
              erasure.begun(),
              erasure.lagAssumed(),
              notJudged,
              proof));
    }
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
  public Optional<Entry> add(UUID erasureId, int page, Entry entry) {
    return Optional.ofNullable(of(erasureId).putIfAbsent(page, entry));
  }

  @Override
  public Entry.Checked check(UUID erasureId, int page, Entry.Checked checked) {
    return (Entry.Checked)
        of(erasureId)
            .compute(page, (number, entry) -> entry instanceof Entry.Checked ? entry : checked);
  }

  @Override
  public Optional<Entry> entry(UUID erasureId, int page) {
    beforeRead.run();
    return Optional.ofNullable(of(erasureId).get(page));
  }

  @Override
  public void putDigests(UUID erasureId, int block, Digests digests) {
    blocks.computeIfAbsent(erasureId, id -> new TreeMap<>()).put(block, digests);
  }

  @Override
  public Optional<Digests> digests(UUID erasureId, int block) {
    return Optional.ofNullable(blocks.getOrDefault(erasureId, new TreeMap<>()).get(block));
  }
}
