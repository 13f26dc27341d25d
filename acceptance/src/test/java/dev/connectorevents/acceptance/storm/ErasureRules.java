package dev.connectorevents.acceptance.storm;

import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The rules about erasures while events arrive: an erased event leaves a tombstone and nothing
 * else, and only an operator's erasure removes an event.
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
    rules.judgeTable(table, tombstones);
    tombstones.forEach(rules::judgeTombstone);
    history.erasures().forEach(erasure -> rules.judgeErasure(erasure, tombstones));
    return rules.violations;
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
