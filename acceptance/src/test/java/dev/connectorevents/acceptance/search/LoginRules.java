package dev.connectorevents.acceptance.search;

import dev.connectorevents.acceptance.search.CallHistory.Change.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Which logins must succeed, and which must fail. */
final class LoginRules {

  /**
   * The most failed logins of one account that get 401 within 15 minutes of service time. A run is
   * shorter, so this is the limit for a whole run.
   */
  private static final int MAX_GUESSES = 10;

  private final List<CallHistory.Change> changes;

  private LoginRules(CallHistory history) {
    changes = history.changes();
  }

  static List<Violation> violations(CallHistory history) {
    LoginRules rules = new LoginRules(history);
    List<ClientCall> logins =
        history.calls().stream().filter(it -> it.route() == ClientCall.Route.LOGIN).toList();
    List<Violation> violations = new ArrayList<>();
    logins.forEach(
        login -> rules.broken(login).ifPresent(rule -> violations.add(Violation.of(rule, login))));
    if (history.jumps().isEmpty()) {
      logins.stream()
          .filter(login -> login.account().isGuessed() && login.status() == 401)
          .skip(MAX_GUESSES)
          .forEach(
              login -> violations.add(Violation.of(Rule.TOO_MANY_GUESSES_WERE_ANSWERED, login)));
    }
    return violations;
  }

  private Optional<Rule> broken(ClientCall login) {
    Account account = login.account();
    if (account.isGuessed()) {
      return Optional.of(Rule.A_WRONG_PASSWORD_WAS_ACCEPTED).filter(rule -> login.isOk());
    }
    return switch (login.status()) {
      case 200 -> Optional.of(Rule.A_DISABLED_USER_LOGGED_IN).filter(rule -> isDisabled(login));
      case 401 -> Optional.of(Rule.A_LOGIN_WAS_REFUSED).filter(rule -> !mayBeDisabled(login));
      case 429 ->
          Optional.of(Rule.A_LOGIN_WITHOUT_FAILURES_HAD_TO_WAIT)
              .filter(rule -> changes(account, Kind.DISABLING).findAny().isEmpty());
      default -> Optional.empty();
    };
  }

  /**
   * Whether the account may be disabled: a disabling has begun, and no later enabling is certain.
   */
  private boolean mayBeDisabled(ClientCall login) {
    return changes(login.account(), Kind.DISABLING)
        .filter(disabling -> disabling.span().start() < login.span().end())
        .anyMatch(disabling ->
            !disabling.isDone()
                || changes(login.account(), Kind.ENABLING)
                    .noneMatch(enabling ->
                        enabling.isDone()
                            && disabling.span().isBefore(enabling.span())
                            && enabling.span().isBefore(login.span())));
  }

  /**
   * Whether the account is certainly disabled: no later enabling can have happened. An enabling
   * without an answer may happen at any later time.
   */
  private boolean isDisabled(ClientCall login) {
    return changes(login.account(), Kind.DISABLING)
        .filter(disabling -> disabling.isDone() && disabling.span().isBefore(login.span()))
        .anyMatch(disabling ->
            changes(login.account(), Kind.ENABLING)
                .filter(enabling -> enabling.span().start() < login.span().end())
                .allMatch(
                    enabling -> enabling.isDone() && enabling.span().isBefore(disabling.span())));
  }

  private Stream<CallHistory.Change> changes(Account account, Kind kind) {
    return changes.stream().filter(it -> it.account().equals(account) && it.kind() == kind);
  }
}
