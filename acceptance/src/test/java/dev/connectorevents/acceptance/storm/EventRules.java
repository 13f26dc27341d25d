package dev.connectorevents.acceptance.storm;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Compares the answers about single events and batches with the events table. An acknowledged event
 * must be stored exactly once, byte for byte.
 */
final class EventRules {

  private final List<ClientCall> calls;
  private final Map<Integer, List<Attempt>> attempts;
  private final Map<String, List<Attempt>> attemptsBySlot;
  private final Map<Integer, List<TableRow>> rows;

  /** The ids of the acknowledged events that were stored until an operator erased them. */
  private final Set<String> gone;

  private final boolean isClockTrusted;
  private final List<Violation> violations = new ArrayList<>();

  private EventRules(CallHistory history, List<TableRow> table) {
    calls = history.calls();
    List<Attempt> all = calls.stream().flatMap(call -> Attempt.in(call).stream()).toList();
    attempts = all.stream().collect(groupingBy(attempt -> attempt.event().number()));
    attemptsBySlot = all.stream().collect(groupingBy(attempt -> attempt.event().slot()));
    List<TableRow> erased = new Erasures(history).rowsGoneFrom(table);
    rows = Stream.concat(table.stream(), erased.stream()).collect(groupingBy(TableRow::number));
    gone = erased.stream().map(TableRow::id).collect(toSet());
    isClockTrusted = history.jumps().isEmpty();
  }

  /**
   * Returns one violation for each id.
   *
   * @param strayParts the result of {@link TableRow#strayParts}
   */
  static List<Violation> ofParts(List<String> strayParts) {
    return strayParts.stream()
        .map(id -> new Violation(Rule.A_PART_WITHOUT_ITS_EVENT, Optional.empty(), id))
        .toList();
  }

  /**
   * Compares a complete list with the stored events.
   *
   * @param listed the ids of all events on all pages of the list
   */
  static List<Violation> ofList(List<String> listed, List<TableRow> table) {
    List<String> stored = table.stream().map(TableRow::id).sorted().toList();
    return listed.stream().sorted().toList().equals(stored)
        ? List.of()
        : List.of(
            new Violation(
                Rule.NOT_LISTED_ONCE,
                Optional.empty(),
                "listed %s, stored %s".formatted(listed, stored)));
  }

  static List<Violation> violations(CallHistory history, List<TableRow> table) {
    EventRules rules = new EventRules(history, table);
    table.forEach(rules::judgeRow);
    rules.attemptsBySlot.values().forEach(rules::judgeSlot);
    rules.calls.forEach(rules::judgeRead);
    rules.calls.forEach(rules::judgeStatus);
    return rules.violations;
  }

  private void judgeRow(TableRow row) {
    List<Attempt> tries =
        attempts.getOrDefault(row.number(), List.of()).stream()
            .filter(attempt -> attempt.event().isIn(row))
            .toList();
    if (tries.isEmpty()) {
      add(Violation.of(Rule.STORED_WHAT_NOBODY_SENT_OR_A_PART_OF_IT, row));
      return;
    }
    if (tries.stream().noneMatch(Attempt::mayHaveStored)) {
      add(Violation.of(Rule.STORED_WHAT_WAS_REFUSED, row));
    }
    Event sent = tries.getFirst().event();
    if (!row.userId().equals(sent.account().id())) {
      add(Violation.of(Rule.STORED_WITH_ANOTHER_USER, row));
    }
    if (!sent.isKeptIn(row.payload())) {
      add(Violation.of(Rule.STORED_OTHER_BYTES_THAN_WERE_SENT, row));
    }
  }

  private void judgeSlot(List<Attempt> slot) {
    List<TableRow> stored =
        slot.stream()
            .map(attempt -> attempt.event().number())
            .distinct()
            .flatMap(number -> rows.getOrDefault(number, List.of()).stream())
            .toList();
    if (stored.size() > 1) {
      add(Violation.of(Rule.STORED_TWICE, stored.getLast()));
    }
    List<Attempt> acknowledged = slot.stream().filter(Attempt::isAcknowledged).toList();
    for (Attempt attempt : acknowledged) {
      judgeAcknowledged(attempt, stored.stream().findFirst(), acknowledged.getFirst());
    }
    slot.stream()
        .filter(Attempt::isConflict)
        .filter(attempt -> stored.isEmpty() || attempt.event().isIn(stored.getFirst()))
        .forEach(attempt -> add(Violation.of(Rule.A_CONFLICT_WITH_NOTHING, attempt)));
    acknowledged.stream()
        .filter(attempt -> !attempt.isReplayed())
        .skip(1)
        .forEach(attempt -> add(Violation.of(Rule.ANSWERED_AS_NEW_TWICE, attempt)));
  }

  private void judgeAcknowledged(Attempt attempt, Optional<TableRow> row, Attempt first) {
    if (row.isEmpty()) {
      add(Violation.of(Rule.ACKNOWLEDGED_BUT_NOT_STORED, attempt));
    } else if (!attempt.event().isIn(row.get())) {
      add(Violation.of(Rule.ACKNOWLEDGED_BUT_ANOTHER_EVENT_IS_STORED, attempt));
    } else if (!row.get().id().equals(attempt.id())
        || !row.get().createdAt().equals(attempt.createdAt())) {
      add(Violation.of(Rule.ACKNOWLEDGED_WITH_VALUES_THAT_ARE_NOT_STORED, attempt));
    } else if (!attempt.answer().equals(first.answer())) {
      add(Violation.of(Rule.THE_FIRST_ANSWER_AND_A_REPLAY_DIFFER, attempt));
    } else if (!attempt.event().isKeptIn(row.get().payload(), attempt.answer())) {
      add(Violation.of(Rule.STORED_THE_PAYLOAD_OF_ONE_TRY_WITH_THE_MEMBERS_OF_ANOTHER, attempt));
    }
  }

  private void judgeStatus(ClientCall call) {
    if (call.status() >= 500 && call.status() != 503) {
      add(Violation.of(Rule.AN_INTERNAL_ERROR, call));
    }
    if (call.status() == 401 && call.token().isPresent() && isClockTrusted) {
      add(Violation.of(Rule.A_LIVE_TOKEN_WAS_REFUSED, call)); // nobody ends a token
    }
  }

  /** A 410 is fine here: {@link ErasureRules} judges the tombstones. */
  private static boolean mustShow(ClientCall call) {
    return !call.isUnknown() && call.status() != 401 && call.status() != 410;
  }

  /**
   * Checks that a read of an acknowledged event returned the stored payload. If the event was
   * erased later, the table no longer has the payload. Then the payload of any of its attempts is
   * right.
   */
  private void judgeRead(ClientCall call) {
    if (call.route() != ClientCall.Route.READ || call.events().isEmpty() || !mustShow(call)) {
      return;
    }
    Event event = call.events().getFirst();
    String stored =
        rows.getOrDefault(event.number(), List.of()).stream()
            .map(TableRow::payload)
            .findFirst()
            .orElse("");
    boolean isStored =
        gone.contains(call.readId()) ? event.isKeptIn(call.body()) : call.body().equals(stored);
    if (call.status() != 200 || !isStored) {
      add(Violation.of(Rule.AN_ACKNOWLEDGED_EVENT_IS_READ_OTHERWISE, call));
    }
  }

  private void add(Violation violation) {
    violations.add(violation);
  }
}
