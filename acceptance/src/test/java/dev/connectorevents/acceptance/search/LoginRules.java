package dev.connectorevents.acceptance.search;

import dev.connectorevents.acceptance.search.CallHistory.Change.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The rules for logins: which logins must succeed, and which must fail. */
final class LoginRules {

  /**
   * The largest number of wrong passwords for one account that get 401 within 15 minutes of the
   * service's time. A run sends all its wrong passwords in less time, so this limits the whole run.
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
   * Whether the account may have been disabled at the login: an operator began to disable it, and
   * it is not certain that an operator has enabled it since.
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
   * Whether the account was certainly disabled at the login: an operator had disabled it, and no
   * operator can have enabled it since. A request to enable it that got no answer may take effect
   * at any later time.
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
