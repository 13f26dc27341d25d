package dev.connectorevents.functions;

import static java.util.Objects.requireNonNull;

import dev.connectorevents.erasure.Erasure;
import dev.connectorevents.erasure.ErasureLedger;
import dev.connectorevents.feed.Whole;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

public final class InMemoryLedger implements ErasureLedger {

  public static final int PROOFS_OF_A_PAGE = 2;

  public final Map<UUID, Erasure> erasures = new LinkedHashMap<>();

  /** What is under each number, by the erasure's id. */
  private final Map<UUID, NavigableMap<Integer, Step>> steps = new LinkedHashMap<>();

  private final Map<UUID, Run> runs = new LinkedHashMap<>();

  /** Runs before each step is read. */
  public Runnable beforeRead = () -> {};

  /** All steps of an erasure, in order. */
  public List<Step> steps(UUID erasureId) {
    return List.copyOf(of(erasureId).values());
  }

  /** The ids of all erasures' steps. */
  public List<Set<UUID>> ids() {
    return steps.values().stream().flatMap(it -> it.values().stream()).map(Step::ids).toList();
  }

  private NavigableMap<Integer, Step> of(UUID erasureId) {
    return steps.computeIfAbsent(erasureId, id -> new TreeMap<>());
  }

  @Override
  public void begin(Erasure erasure) {
    erasures.put(erasure.id(), erasure);
  }

  @Override
  public Optional<Whole> rest(UUID erasureId, Whole whole) {
    Erasure erasure = erasures.get(erasureId);
    if (erasure != null && erasure.whole().isEmpty()) {
      change(erasure, Optional.of(whole), erasure.notJudged(), Optional.empty());
    }
    return find(erasureId).flatMap(Erasure::whole);
  }

  @Override
  public boolean addNotJudged(UUID erasureId, Set<UUID> ids) {
    Erasure erasure = requireNonNull(erasures.get(erasureId));
    List<UUID> all =
        Stream.concat(erasure.notJudged().stream(), ids.stream()).sorted().distinct().toList();
    if (all.size() > Erasure.MAX_NOT_JUDGED) {
      return false;
    }
    change(erasure, erasure.whole(), all, Optional.empty());
    return true;
  }

  @Override
  public void end(UUID erasureId, Erasure.Proof proof, Set<UUID> judged) {
    Erasure erasure = requireNonNull(erasures.get(erasureId));
    List<UUID> left = erasure.notJudged().stream().filter(id -> !judged.contains(id)).toList();
    change(erasure, erasure.whole(), left, Optional.of(proof));
  }

  private void change(
      Erasure erasure, Optional<Whole> whole, List<UUID> notJudged, Optional<Erasure.Proof> proof) {
    if (erasure.proof().isEmpty()) {
      erasures.put(
          erasure.id(),
          new Erasure(
              erasure.id(),
              erasure.reason(),
              erasure.selectorKind(),
              erasure.request(),
              erasure.brand(),
              erasure.isNarrowed(),
              erasure.to(),
              erasure.isScan(),
              erasure.begun(),
              erasure.awaited(),
              whole,
              notJudged,
              proof));
    }
  }

  @Override
  public void begin(Run run) {
    runs.put(run.id(), run);
  }

  @Override
  public Optional<Run> run(UUID id) {
    return Optional.ofNullable(runs.get(id));
  }

  @Override
  public Run move(Run run, Optional<String> next) {
    runs.replace(run.id(), run, run.after(next));
    return requireNonNull(runs.get(run.id()));
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
  public Step add(UUID erasureId, int number, Step step) {
    Step other = of(erasureId).putIfAbsent(number, step);
    return other == null ? step : other;
  }

  @Override
  public Closed close(UUID erasureId, int number, Set<UUID> erased, Closed closed) {
    return requireNonNull(
            of(erasureId)
                .computeIfPresent(
                    number,
                    (_, step) ->
                        step.closed().isPresent()
                            ? step
                            : new Step(
                                erased,
                                step.notJudged(),
                                step.named(),
                                step.next(),
                                step.isStop(),
                                Optional.of(closed))))
        .closed()
        .orElseThrow();
  }

  @Override
  public Optional<Step> step(UUID erasureId, int number) {
    beforeRead.run();
    return Optional.ofNullable(of(erasureId).get(number));
  }
}
