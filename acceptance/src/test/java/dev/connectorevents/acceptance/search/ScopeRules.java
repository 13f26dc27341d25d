package dev.connectorevents.acceptance.search;

import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The rules for scopes: an account can send and see the event types of its scope, but no others.
 */
final class ScopeRules {

  private static final String OF_TYPE = "event_type=";

  private final Scopes scopes;
  private final List<Violation> violations = new ArrayList<>();

  private ScopeRules(CallHistory history) {
    scopes = new Scopes(history);
  }

  static List<Violation> violations(CallHistory history, List<TableRow> table) {
    ScopeRules rules = new ScopeRules(history);
    history.calls().forEach(rules::judge);
    Map<Integer, List<Attempt>> attempts =
        history.calls().stream()
            .flatMap(call -> Attempt.in(call).stream())
            .collect(groupingBy(attempt -> attempt.event().number()));
    table.forEach(row -> rules.judgeRow(row, attempts.getOrDefault(row.number(), List.of())));
    return rules.violations;
  }

  private void judge(ClientCall call) {
    if (call.status() == 403 && isRefusedByScope(call) && !mayRefuse(call)) {
      add(Violation.of(Rule.REFUSED_WITHIN_THE_SCOPE, call));
    }
    switch (call.route()) {
      case EVENT, BATCH -> Attempt.in(call).forEach(this::judgeAttempt);
      case READ -> judgeRead(call);
      case LIST -> judgeList(call);
      case LOGIN, REFRESH, ME, MISSING -> {}
    }
  }

  /**
   * Whether only the scope can be the reason for a refusal: the account has a scope, and its role
   * may use the route. {@link TokenRules} judges all other refusals with 403.
   */
  private boolean isRefusedByScope(ClientCall call) {
    return scopes.isGiven(call.account())
        && call.route().role.filter(role -> role == call.account().role()).isPresent();
  }

  private boolean mayRefuse(ClientCall call) {
    return switch (call.route()) {
      case EVENT -> scopes.mayRefuse(call, call.events().getFirst().type());
      case LIST -> listedType(call).filter(type -> scopes.mayRefuse(call, type)).isPresent();
      case LOGIN, REFRESH, ME, BATCH, MISSING, READ -> false;
    };
  }

  private static Optional<String> listedType(ClientCall list) {
    return Stream.of(list.rest().split("&", -1)[0])
        .filter(filter -> filter.startsWith(OF_TYPE))
        .map(filter -> filter.substring(OF_TYPE.length()))
        .findFirst();
  }

  /**
   * Checks that the service refuses an event outside the scope, and does not reveal whether the
   * event's key is in use. Also checks that no event within the scope is refused in a batch; {@link
   * #judge} checks this for a single event.
   */
  private void judgeAttempt(Attempt attempt) {
    String type = attempt.event().type();
    boolean isJudgedByKey = attempt.isAcknowledged() || attempt.isConflict() || attempt.isErased();
    if (isJudgedByKey && !scopes.mayAllow(attempt.call(), type)) {
      add(Violation.of(Rule.AN_EVENT_OUTSIDE_THE_SCOPE_WAS_NOT_REFUSED, attempt));
    }
    boolean isRefusedInBatch = attempt.status() == 403 && attempt.call().isOk();
    if (isRefusedInBatch && !scopes.mayRefuse(attempt.call(), type)) {
      add(Violation.of(Rule.REFUSED_WITHIN_THE_SCOPE, attempt));
    }
  }

  /**
   * Checks that the scope allowed at least one of the attempts to send a stored event. An attempt
   * without an answer counts as allowed: it may have stored the event later, under another scope.
   */
  private void judgeRow(TableRow row, List<Attempt> attempts) {
    List<Attempt> tries =
        attempts.stream()
            .filter(attempt -> attempt.event().isIn(row) && attempt.mayHaveStored())
            .toList();
    if (!tries.isEmpty()
        && tries.stream()
            .noneMatch(it -> it.status() == 0 || scopes.mayAllow(it.call(), row.type()))) {
      add(Violation.of(Rule.STORED_OUTSIDE_THE_SCOPE, row));
    }
  }

  private void judgeRead(ClientCall read) {
    boolean isShown =
        read.isOk()
            && read.events().stream().anyMatch(event -> !scopes.mayAllow(read, event.type()));
    boolean isErasureShown = read.status() == 410 && !scopes.mayShowErased(read);
    if (isShown || isErasureShown) {
      add(Violation.of(Rule.AN_EVENT_OUTSIDE_THE_SCOPE_WAS_READ, read));
    }
  }

  /**
   * Checks that a list shows only types of the scope. The service must refuse a list of another
   * type, even if the list is empty.
   */
  private void judgeList(ClientCall list) {
    if (list.isOk()
        && Stream.concat(
                listedType(list).stream(),
                ListPage.of(list).events().stream().map(ListPage.Entry::type))
            .anyMatch(type -> !scopes.mayAllow(list, type))) {
      add(Violation.of(Rule.A_LIST_SHOWS_AN_EVENT_OUTSIDE_THE_SCOPE, list));
    }
  }

  private void add(Violation violation) {
    violations.add(violation);
  }
}
