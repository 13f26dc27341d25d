package dev.connectorevents.acceptance.storm;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The erasures of a history. They show which acknowledged events were erased, and when. */
final class Erasures {

  private final List<CallHistory.Erasure> all;
  private final List<Span> jumps;

  /** The first acknowledgement of each event, by the event's id. */
  private final Map<String, Attempt> acknowledged;

  Erasures(CallHistory history) {
    all = history.erasures();
    jumps = history.jumps();
    acknowledged =
        history.calls().stream()
            .flatMap(call -> Attempt.in(call).stream())
            .filter(Attempt::isAcknowledged)
            .collect(toMap(Attempt::id, attempt -> attempt, (first, replay) -> first));
  }

  /** The first acknowledgement of the event with this id. */
  Optional<Attempt> acknowledgement(String id) {
    return Optional.ofNullable(acknowledged.get(id));
  }

  /** The first acknowledgements of the events that operators tried to erase. */
  List<Attempt> selected() {
    return all.stream()
        .flatMap(erasure -> erasure.events().stream())
        .distinct()
        .flatMap(id -> acknowledgement(id).stream())
        .toList();
  }

  /** Whether the event was certainly erased at some time of the history. */
  boolean isErased(String id) {
    return of(id).anyMatch(erasure -> isSure(erasure, id));
  }

  private Stream<CallHistory.Erasure> of(String id) {
    return all.stream().filter(erasure -> erasure.events().contains(id));
  }

  /**
   * Whether the erasure has certainly erased the event. The service promises this only if the
   * erasure is complete and the event was created before it began. Nothing is certain if the clocks
   * jumped during the erasure. Without a jump, two clocks differ by less than {@link
   * CallHistory#CLOCK_SKEW}.
   */
  private boolean isSure(CallHistory.Erasure erasure, String id) {
    return erasure.isComplete()
        && jumps.stream()
            .allMatch(jump -> jump.isBefore(erasure.span()) || erasure.span().isBefore(jump))
        && acknowledgement(id)
            .map(Attempt::createdAt)
            .filter(erasure.span().startedAt().minus(CallHistory.CLOCK_SKEW)::isAfter)
            .isPresent();
  }

  /**
   * The former rows of acknowledged events that operators tried to erase, and that are no longer in
   * the table. Each row is made from the event and its acknowledgement.
   */
  List<TableRow> rowsGoneFrom(List<TableRow> table) {
    Set<String> there = table.stream().map(TableRow::id).collect(toSet());
    return selected().stream()
        .filter(attempt -> !there.contains(attempt.id()))
        .map(TableRow::of)
        .toList();
  }
}
