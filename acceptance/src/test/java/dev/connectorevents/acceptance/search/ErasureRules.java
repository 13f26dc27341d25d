package dev.connectorevents.acceptance.search;

import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The rules about erasures: an erased event is gone for everybody, and only an operator's erasure
 * removes an event.
 */
final class ErasureRules {

  private final CallHistory history;
  private final Erasures erasures;
  private final List<Violation> violations = new ArrayList<>();

  private ErasureRules(CallHistory history) {
    this.history = history;
    this.erasures = new Erasures(history);
  }

  static List<Violation> violations(
      CallHistory history, List<TableRow> table, List<TombstoneRow> tombstones) {
    ErasureRules rules = new ErasureRules(history);
    history.calls().forEach(rules::judge);
    rules.judgeTable(table, tombstones);
    tombstones.forEach(rules::judgeTombstone);
    history.erasures().forEach(erasure -> rules.judgeErasure(erasure, tombstones));
    return rules.violations;
  }

  private void judge(ClientCall call) {
    switch (call.route()) {
      case EVENT, BATCH -> Attempt.in(call).forEach(this::judgeAttempt);
      case READ -> judgeRead(call);
      case LIST -> judgeList(call);
      case LOGIN, REFRESH, ME, MISSING -> {}
    }
  }

  private void judgeAttempt(Attempt attempt) {
    Span span = attempt.call().span();
    boolean isRefused = attempt.isErased();
    if (!isRefused && !attempt.isAcknowledged() && !attempt.isConflict()) {
      return;
    }
    List<String> ids = erasures.idsUnderKeyOf(attempt.event());
    if (isRefused && ids.stream().noneMatch(id -> erasures.mayBeErased(id, span))) {
      add(Violation.of(Rule.A_410_WITHOUT_AN_ERASURE, attempt));
    }
    if (!isRefused && ids.stream().anyMatch(id -> erasures.isErased(id, span))) {
      add(Violation.of(Rule.AN_ERASED_KEY_WAS_NOT_REFUSED_WITH_410, attempt));
    }
  }

  private void judgeRead(ClientCall read) {
    String id = read.readId();
    if (read.status() == 410 && !erasures.mayBeErased(id, read.span())) {
      add(Violation.of(Rule.A_410_WITHOUT_AN_ERASURE, read));
    }
    if (read.isOk() && erasures.isErased(id, read.span())) {
      add(Violation.of(Rule.AN_ERASED_EVENT_WAS_READ, read));
    }
  }

  private void judgeList(ClientCall list) {
    if (list.isOk()
        && ListPage.of(list).events().stream()
            .anyMatch(event -> erasures.isErased(event.id(), list.span()))) {
      add(Violation.of(Rule.A_LIST_SHOWS_AN_ERASED_EVENT, list));
    }
  }

  private void judgeTable(List<TableRow> table, List<TombstoneRow> tombstones) {
    Set<String> stored = table.stream().map(TableRow::id).collect(toSet());
    Set<String> buried = tombstones.stream().map(TombstoneRow::id).collect(toSet());
    for (Attempt attempt : erasures.selected()) {
      if (!erasures.isErased(attempt.id())) {
        continue;
      }
      if (stored.contains(attempt.id())) {
        add(Violation.of(Rule.AN_ERASED_EVENT_IS_STORED, attempt));
      } else if (!buried.contains(attempt.id())) {
        add(Violation.of(Rule.AN_ERASED_EVENT_LEFT_NO_TOMBSTONE, attempt));
      }
    }
  }

  private void judgeTombstone(TombstoneRow tombstone) {
    Optional<Attempt> erased = erasures.acknowledgement(tombstone.id());
    if (history.erasures().stream().noneMatch(tombstone::isOf)) {
      add(Violation.of(Rule.A_TOMBSTONE_THAT_NOBODY_ASKED_FOR, tombstone));
    } else if (erased.isPresent() && !tombstone.isRightFor(erased.get().event())) {
      add(Violation.of(Rule.A_TOMBSTONE_WITH_OTHER_ATTRIBUTES, tombstone));
    }
  }

  /** Checks that no other erasure has replaced a tombstone that this erasure wrote. */
  private void judgeErasure(CallHistory.Erasure erasure, List<TombstoneRow> tombstones) {
    if (tombstones.stream().filter(it -> it.isOf(erasure)).count() < erasure.written()) {
      add(new Violation(Rule.A_TOMBSTONE_WAS_REPLACED, Optional.empty(), erasure.toString()));
    }
  }

  private void add(Violation violation) {
    violations.add(violation);
  }
}
