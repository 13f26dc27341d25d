package dev.connectorevents.acceptance.storm;

import static java.util.stream.Collectors.groupingBy;

import dev.connectorevents.acceptance.service.WorldClock;
import dev.connectorevents.acceptance.storm.CallHistory.Revocation;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The rules for tokens: a revoked one is refused, and a live one is not. */
final class TokenRules {

  private final CallHistory history;
  private final Map<Account, List<Revocation>> revocations;
  private final Map<Token, Lifetime> lifetimes = new HashMap<>();

  /**
   * When a token is revoked, in nanoseconds of {@link WorldClock#elapsed}. {@link Long#MAX_VALUE}
   * means never.
   *
   * @param mayEnd start of the first revocation that may end the token's session
   * @param ended end of the first revocation that certainly ends the token's session
   */
  private record Lifetime(long mayEnd, long ended) {}

  private TokenRules(CallHistory history) {
    this.history = history;
    revocations = history.revocations().stream().collect(groupingBy(Revocation::account));
  }

  static List<Violation> violations(CallHistory history) {
    TokenRules rules = new TokenRules(history);
    return history.calls().stream()
        .flatMap(call -> call.token().flatMap(token -> rules.broken(call, token)).stream())
        .toList();
  }

  private Optional<Violation> broken(ClientCall call, Token token) {
    if (history.isUnsettled(call.span()) || history.isUnsettled(token.session())) {
      return Optional.empty();
    }
    Lifetime lifetime = lifetimes.computeIfAbsent(token, this::lifetimeOf);
    if (call.isAdmitted() && lifetime.ended < call.span().start() - lag(call).toNanos()) {
      return Optional.of(Violation.of(Rule.A_REVOKED_TOKEN_WAS_ACCEPTED, call));
    }
    return call.status() == 401 && lifetime.mayEnd >= call.span().end()
        ? Optional.of(Violation.of(Rule.A_LIVE_TOKEN_WAS_REFUSED, call))
        : Optional.empty();
  }

  private static Duration lag(ClientCall call) {
    Duration lag = call.route().lag;
    return lag.isZero() ? lag : lag.plus(CallHistory.CLOCK_SKEW);
  }

  /** A revocation with an unknown outcome may take effect at any later time. */
  private Lifetime lifetimeOf(Token token) {
    List<Revocation> all = revocations.getOrDefault(token.account(), List.of());
    return new Lifetime(
        first(
            all.stream()
                .filter(it -> !it.isDone() || !it.span().isBefore(token.session()))
                .map(it -> it.span().start())),
        first(
            all.stream()
                .filter(it -> it.isDone() && token.session().isBefore(it.span()))
                .filter(it -> !history.isUnsettled(it.span()))
                .map(it -> it.span().end())));
  }

  private static long first(Stream<Long> times) {
    return times.min(Long::compare).orElse(Long.MAX_VALUE);
  }
}
