package dev.connectorevents.acceptance.search;

import static dev.connectorevents.acceptance.search.HandMadeHistory.CONNECTOR;
import static dev.connectorevents.acceptance.search.HandMadeHistory.CONSUMER;

import dev.connectorevents.acceptance.search.CallHistory.Change.Kind;
import dev.connectorevents.acceptance.search.ClientCall.Route;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

class TokenRulesTest extends RuleCases {

  @Override
  Stream<Arguments> brokenRules() {
    return Stream.of(
        breaks(Rule.AN_INTERNAL_ERROR, it -> it.send(EVENT, 500, CODE)),
        breaks(Rule.A_REFUSAL_WITHOUT_A_CODE, it -> it.send(EVENT, 401, "{}")),
        breaks(Rule.UNAVAILABLE_WITHOUT_RETRY_AFTER, it -> it.send(EVENT, 503, CODE)),
        breaks(
            Rule.A_FORGED_TOKEN_WAS_ACCEPTED,
            it -> it.answer(Route.ME, it.token(CONNECTOR).forged(), 200, me(CONNECTOR))),
        breaks(
            Rule.A_ROLE_WAS_NOT_CHECKED,
            it -> it.answer(Route.READ, it.token(CONNECTOR), 404, CODE)),
        breaks(
            Rule.THE_RIGHT_ROLE_WAS_REFUSED,
            it -> it.answer(Route.READ, it.token(CONSUMER), 403, CODE)),
        breaks(
            Rule.A_STATIC_TOKEN_WAS_REFRESHED,
            it -> it.answer(Route.REFRESH, it.token(CONNECTOR, "first", true), 200, "")),
        breaks(
            Rule.ANOTHER_USER_WAS_SHOWN,
            it -> it.answer(Route.ME, it.token(CONNECTOR), 200, me(CONSUMER))),
        breaks(
            Rule.AN_EXPIRED_TOKEN_WAS_ACCEPTED,
            it -> {
              Token token = it.token(CONNECTOR);
              it.pass(Duration.ofHours(1).plusSeconds(33));
              it.answer(Route.ME, token, 200, me(CONNECTOR));
            }),
        breaks(
            Rule.A_REVOKED_TOKEN_WAS_ACCEPTED,
            it -> {
              Token token = it.token(CONNECTOR);
              it.change(CONNECTOR, Kind.REVOCATION, true);
              it.answer(Route.ME, token, 200, me(CONNECTOR));
            }),
        breaks(
            Rule.A_REVOKED_TOKEN_WAS_ACCEPTED,
            it -> {
              Token token = it.token(CONSUMER);
              it.change(CONSUMER, Kind.DISABLING, true);
              it.pass(Duration.ofSeconds(8));
              it.answer(Route.READ, token, 404, CODE);
            }),
        breaks(
            Rule.A_TOKEN_OF_A_DEAD_KEY_WAS_ACCEPTED,
            it -> {
              Token token = it.token(CONNECTOR);
              it.rotate("second");
              it.rotate("third");
              it.pass(Duration.ofMinutes(5).plusSeconds(5));
              it.answer(Route.ME, token, 200, me(CONNECTOR));
            }),
        breaks(
            Rule.A_LIVE_TOKEN_WAS_REFUSED,
            it -> {
              it.rotate("second");
              it.change(CONNECTOR, Kind.REVOCATION, true);
              Token token = it.token(CONNECTOR, "second", false);
              it.rotate("third");
              it.answer(Route.ME, token, 401, CODE);
            }));
  }

  @Override
  Stream<Arguments> keptRules() {
    return Stream.of(
        keeps(
            "503 of API Gateway, which has no code",
            it -> it.send(EVENT, 503, "{\"message\":\"Service Unavailable\"}")),
        keeps(
            "a token that is revoked while it is used",
            it -> {
              Token token = it.token(CONSUMER);
              it.change(CONSUMER, Kind.REVOCATION, true);
              it.pass(Duration.ofSeconds(4));
              it.answer(Route.READ, token, 404, CODE);
              it.answer(Route.READ, token, 401, CODE);
            }),
        keeps(
            "a token that may have been revoked",
            it -> {
              Token token = it.token(CONNECTOR);
              it.change(CONNECTOR, Kind.REVOCATION, false);
              it.answer(Route.ME, token, 401, CODE);
              it.answer(Route.ME, token, 200, me(CONNECTOR));
            }),
        keeps(
            "a token of the key before",
            it -> {
              Token token = it.token(CONNECTOR);
              it.rotate("second");
              it.pass(Duration.ofMinutes(10));
              it.answer(Route.ME, token, 200, me(CONNECTOR));
            }),
        keeps(
            "an expired token right after a jump of the clock",
            it -> {
              Token token = it.token(CONNECTOR);
              it.pass(Duration.ofHours(2));
              it.jump();
              it.answer(Route.ME, token, 200, me(CONNECTOR));
            }),
        keeps(
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
