package dev.connectorevents.acceptance.search;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Which of the acknowledged events were erased, and when. */
final class Erasures {

  private final List<CallHistory.Erasure> all;
  private final List<Span> jumps;

  /** The first acknowledgement of each event, by its id. */
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

  /** The first acknowledgement of an event. */
  Optional<Attempt> acknowledgement(String id) {
    return Optional.ofNullable(acknowledged.get(id));
  }

  /** The ids of the acknowledged events that have the same account and key as this event. */
  List<String> idsUnderKeyOf(Event event) {
    return acknowledged.values().stream()
        .filter(attempt -> attempt.event().hasSameSlot(event))
        .map(Attempt::id)
        .toList();
  }

  /** The first acknowledgements of the events that an operator wanted to erase. */
  List<Attempt> selected() {
    return all.stream()
        .flatMap(erasure -> erasure.events().stream())
        .distinct()
        .flatMap(id -> acknowledgement(id).stream())
        .toList();
  }

  /** Whether an erasure of the event began before the span ended. */
  boolean mayBeErased(String id, Span span) {
    return of(id).anyMatch(erasure -> erasure.span().start() < span.end());
  }

  /** Whether an erasure of the event was complete before the span began. */
  boolean isErased(String id, Span span) {
    return of(id).anyMatch(erasure -> isSure(erasure, id) && erasure.span().isBefore(span));
  }

  /** Whether an erasure of the event is complete. */
  boolean isErased(String id) {
    return of(id).anyMatch(erasure -> isSure(erasure, id));
  }

  private Stream<CallHistory.Erasure> of(String id) {
    return all.stream().filter(erasure -> erasure.events().contains(id));
  }

  /**
   * Whether a complete erasure must have erased the event. An erasure promises this only for events
   * created before it began, and clocks may differ by {@link CallHistory#CLOCK_SKEW}.
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

  /** The rows of acknowledged events that were to be erased, and that the table no longer has. */
  List<TableRow> rowsGoneFrom(List<TableRow> table) {
    Set<String> there = table.stream().map(TableRow::id).collect(toSet());
    return selected().stream()
        .filter(attempt -> !there.contains(attempt.id()))
        .map(TableRow::of)
        .toList();
  }
}
