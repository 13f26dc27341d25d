package dev.connectorevents.acceptance.search;

import static dev.connectorevents.acceptance.search.HandMadeHistory.CONNECTOR;
import static dev.connectorevents.acceptance.search.HandMadeHistory.CONSUMER;

import dev.connectorevents.acceptance.search.CallHistory.Change.Kind;
import dev.connectorevents.acceptance.search.ClientCall.Route;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Every rule about tokens and answers reports its own violation, and nothing that is allowed. */
class TokenRulesTest extends RuleCases {

  TokenRulesTest() {
    super(TokenRules.class);
  }

  @Override
  Stream<Arguments> violations() {
    return Stream.of(
        when("an internal error", it -> it.send(EVENT, 500, CODE)),
        when("a refusal without a code", it -> it.send(EVENT, 401, "{}")),
        when("503 without Retry-After", it -> it.send(EVENT, 503, CODE)),
        when(
            "a forged token was accepted",
            it -> it.answer(Route.ME, it.token(CONNECTOR).forged(), 200, me(CONNECTOR))),
        when("a role was not checked", it -> it.answer(Route.READ, it.token(CONNECTOR), 404, CODE)),
        when(
            "the right role was refused",
            it -> it.answer(Route.READ, it.token(CONSUMER), 403, CODE)),
        when(
            "a static token was refreshed",
            it -> it.answer(Route.REFRESH, it.token(CONNECTOR, "first", true), 200, "")),
        when(
            "another user was shown",
            it -> it.answer(Route.ME, it.token(CONNECTOR), 200, me(CONSUMER))),
        when(
            "an expired token was accepted",
            it -> {
              Token token = it.token(CONNECTOR);
              it.pass(Duration.ofHours(1).plusSeconds(33));
              it.answer(Route.ME, token, 200, me(CONNECTOR));
            }),
        when(
            "a revoked token was accepted",
            it -> {
              Token token = it.token(CONNECTOR);
              it.change(CONNECTOR, Kind.REVOCATION, true);
              it.answer(Route.ME, token, 200, me(CONNECTOR));
            }),
        when(
            "a revoked token was accepted",
            it -> {
              Token token = it.token(CONSUMER);
              it.change(CONSUMER, Kind.DISABLING, true);
              it.pass(Duration.ofSeconds(8));
              it.answer(Route.READ, token, 404, CODE);
            }),
        when(
            "a token of a dead key was accepted",
            it -> {
              Token token = it.token(CONNECTOR);
              it.rotate("second");
              it.rotate("third");
              it.pass(Duration.ofMinutes(5).plusSeconds(5));
              it.answer(Route.ME, token, 200, me(CONNECTOR));
            }),
        when(
            "a live token was refused",
            it -> {
              it.rotate("second");
              it.change(CONNECTOR, Kind.REVOCATION, true);
              Token token = it.token(CONNECTOR, "second", false);
              it.rotate("third");
              it.answer(Route.ME, token, 401, CODE);
            }));
  }

  @Override
  Stream<Arguments> allowed() {
    return Stream.of(
        when(
            "503 of API Gateway, which has no code",
            it -> it.send(EVENT, 503, "{\"message\":\"Service Unavailable\"}")),
        when(
            "a token that is revoked while it is used",
            it -> {
              Token token = it.token(CONSUMER);
              it.change(CONSUMER, Kind.REVOCATION, true);
              it.pass(Duration.ofSeconds(4));
              it.answer(Route.READ, token, 404, CODE);
              it.answer(Route.READ, token, 401, CODE);
            }),
        when(
            "a token that may have been revoked",
            it -> {
              Token token = it.token(CONNECTOR);
              it.change(CONNECTOR, Kind.REVOCATION, false);
              it.answer(Route.ME, token, 401, CODE);
              it.answer(Route.ME, token, 200, me(CONNECTOR));
            }),
        when(
            "a token of the key before",
            it -> {
              Token token = it.token(CONNECTOR);
              it.rotate("second");
              it.pass(Duration.ofMinutes(10));
              it.answer(Route.ME, token, 200, me(CONNECTOR));
            }),
        when(
            "an expired token right after a jump of the clock",
            it -> {
              Token token = it.token(CONNECTOR);
              it.pass(Duration.ofHours(2));
              it.jump();
              it.answer(Route.ME, token, 200, me(CONNECTOR));
            }),
        when(
            "a role that changes",
            it -> {
              it.change(CONNECTOR, Kind.TO_CONSUMER, true);
              it.answer(Route.READ, it.token(CONNECTOR), 404, CODE);
            }));
  }

  private static String me(Account account) {
    return "{\"id\":\"%s\"}".formatted(account.id());
  }
}
