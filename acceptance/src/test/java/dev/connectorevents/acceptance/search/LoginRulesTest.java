package dev.connectorevents.acceptance.search;

import static dev.connectorevents.acceptance.search.HandMadeHistory.CONNECTOR;

import dev.connectorevents.acceptance.search.CallHistory.Change.Kind;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Every rule about logins reports its own violation, and nothing that is allowed. */
class LoginRulesTest extends RuleCases {

  LoginRulesTest() {
    super(LoginRules.class);
  }

  @Override
  Stream<Arguments> violations() {
    return Stream.of(
        when("a wrong password was accepted", it -> it.login(CONNECTOR.guessed(), 200)),
        when(
            "too many guesses were answered",
            it -> IntStream.range(0, 11).forEach(i -> it.login(CONNECTOR.guessed(), 401))),
        when(
            "a disabled user logged in",
            it -> {
              it.change(CONNECTOR, Kind.ENABLING, true);
              it.change(CONNECTOR, Kind.DISABLING, true);
              it.login(CONNECTOR, 200);
            }),
        when("a login was refused", it -> it.login(CONNECTOR, 401)),
        when(
            "a login was refused",
            it -> {
              it.change(CONNECTOR, Kind.DISABLING, true);
              it.change(CONNECTOR, Kind.ENABLING, true);
              it.login(CONNECTOR, 401);
            }),
        when("a login without failures had to wait", it -> it.login(CONNECTOR, 429)));
  }

  @Override
  Stream<Arguments> allowed() {
    return Stream.of(
        when(
            "a login while the user may be disabled",
            it -> {
              it.change(CONNECTOR, Kind.DISABLING, false);
              it.login(CONNECTOR, 200);
              it.login(CONNECTOR, 401);
            }),
        when(
            "a user who has to wait after refused logins",
            it -> {
              it.change(CONNECTOR, Kind.DISABLING, true);
              it.login(CONNECTOR, 401);
              it.change(CONNECTOR, Kind.ENABLING, true);
              it.login(CONNECTOR, 429);
            }));
  }
}
