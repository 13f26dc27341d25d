package dev.connectorevents.acceptance.search;

import static dev.connectorevents.acceptance.search.HandMadeHistory.CONNECTOR;

import dev.connectorevents.acceptance.search.CallHistory.Change.Kind;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

class LoginRulesTest extends RuleCases {

  @Override
  Stream<Arguments> brokenRules() {
    return Stream.of(
        breaks(Rule.A_WRONG_PASSWORD_WAS_ACCEPTED, it -> it.login(CONNECTOR.guessed(), 200)),
        breaks(
            Rule.TOO_MANY_GUESSES_WERE_ANSWERED,
            it -> IntStream.range(0, 11).forEach(i -> it.login(CONNECTOR.guessed(), 401))),
        breaks(
            Rule.A_DISABLED_USER_LOGGED_IN,
            it -> {
              it.change(CONNECTOR, Kind.ENABLING, true);
              it.change(CONNECTOR, Kind.DISABLING, true);
              it.login(CONNECTOR, 200);
            }),
        breaks(Rule.A_LOGIN_WAS_REFUSED, it -> it.login(CONNECTOR, 401)),
        breaks(
            Rule.A_LOGIN_WAS_REFUSED,
            it -> {
              it.change(CONNECTOR, Kind.DISABLING, true);
              it.change(CONNECTOR, Kind.ENABLING, true);
              it.login(CONNECTOR, 401);
            }),
        breaks(Rule.A_LOGIN_WITHOUT_FAILURES_HAD_TO_WAIT, it -> it.login(CONNECTOR, 429)));
  }

  @Override
  Stream<Arguments> keptRules() {
    return Stream.of(
        keeps(
            "a login while the user may be disabled",
            it -> {
              it.change(CONNECTOR, Kind.DISABLING, false);
              it.login(CONNECTOR, 200);
              it.login(CONNECTOR, 401);
            }),
        keeps(
            "a user who has to wait after refused logins",
            it -> {
              it.change(CONNECTOR, Kind.DISABLING, true);
              it.login(CONNECTOR, 401);
              it.change(CONNECTOR, Kind.ENABLING, true);
              it.login(CONNECTOR, 429);
            }));
  }
}
