package dev.connectorevents.local.history;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Who gets in, and who does not. */
final class TokenRules {

  /** How long a key is cached. The contract says "some minutes". */
  private static final Duration KEY_AGE = Duration.ofMinutes(5);

  /** The skew that RFC 8725 lets a check allow. */
  private static final Duration LEEWAY = Duration.ofSeconds(30);

  private final List<ClientCall> calls;
  private final List<CallHistory.Revocation> revocations;
  private final List<CallHistory.Rotation> rotations;
  private final TreeMap<Long, Span> jumps = new TreeMap<>();
  private final Map<Token, Ends> ends = new HashMap<>();

  /**
   * When a token ends, in {@link ServiceTime#elapsed}. {@link Long#MAX_VALUE} means never.
   *
   * @param mayBeRevoked when a revocation began that may concern it
   * @param revoked when a revocation was done that concerns it
   * @param mayBeDead when the second rotation began that may concern its key
   * @param dead when the second rotation was done: it ends a key
   */
  private record Ends(long mayBeRevoked, long revoked, long mayBeDead, long dead) {}

  private TokenRules(CallHistory history) {
    calls = history.calls();
    revocations = history.revocations();
    rotations = history.rotations();
    history.jumps().forEach(jump -> jumps.put(jump.start(), jump));
  }

  static List<Violation> violations(CallHistory history) {
    TokenRules rules = new TokenRules(history);
    return rules.calls.stream().flatMap(call -> rules.judge(call).stream()).toList();
  }

  private Optional<Violation> judge(ClientCall call) {
    if (call.status() >= 500 && call.status() != 503) {
      return Optional.of(Violation.of("an internal error", call));
    }
    if (call.status() == 503
        && call.body().contains("\"code\"")
        && !call.headers().containsKey("retry-after")) {
      return Optional.of(Violation.of("503 without Retry-After", call));
    }
    if (call.token().isEmpty()) {
      return call.status() == 401 && !mayBeDisabled(call.account())
          ? Optional.of(Violation.of("a login was refused", call))
          : Optional.empty();
    }
    Token token = call.token().get();
    if (call.isAdmitted() && token.isForged()) {
      return Optional.of(Violation.of("a forged token was accepted", call));
    }
    if (isUnsettled(call.span()) || isUnsettled(token.session())) {
      return Optional.empty();
    }
    if (call.isAdmitted()) {
      return Stream.of(
              Optional.of("an expired token was accepted").filter(rule -> isExpired(token, call)),
              Optional.of("a revoked token was accepted").filter(rule -> isRevoked(token, call)),
              Optional.of("a token of a dead key was accepted")
                  .filter(rule -> isOfDeadKey(token, call)))
          .flatMap(Optional::stream)
          .findFirst()
          .map(rule -> Violation.of(rule, call));
    }
    return call.status() == 401 && isCertainlyLive(token, call)
        ? Optional.of(Violation.of("a live token was refused", call))
        : Optional.empty();
  }

  private boolean mayBeDisabled(Account account) {
    return revocations.stream()
        .anyMatch(it -> it.account().equals(account) && it.ending() == Client.Ending.DISABLING);
  }

  /** Whether the clocks jumped during it, or shortly before or after. */
  private boolean isUnsettled(Span span) {
    long settling = CallHistory.UNSETTLED.toNanos();
    Map.Entry<Long, Span> last = jumps.lowerEntry(span.end() + settling);
    return last != null && span.start() < last.getValue().end() + settling;
  }

  private static boolean isExpired(Token token, ClientCall call) {
    return call.span()
        .startedAt()
        .isAfter(token.expiresAt().plus(LEEWAY).plus(CallHistory.CLOCK_SKEW));
  }

  private boolean isRevoked(Token token, ClientCall call) {
    Duration lag =
        call.route().lag.isZero() ? Duration.ZERO : call.route().lag.plus(CallHistory.CLOCK_SKEW);
    return ends(token).revoked < call.span().start() - lag.toNanos();
  }

  private boolean isOfDeadKey(Token token, ClientCall call) {
    Duration lag = KEY_AGE.plus(CallHistory.CLOCK_SKEW.multipliedBy(2));
    return ends(token).dead < call.span().start() - lag.toNanos();
  }

  private boolean isCertainlyLive(Token token, ClientCall call) {
    return !token.isForged()
        && call.span().endedAt().isBefore(token.expiresAt().minus(CallHistory.CLOCK_SKEW))
        && ends(token).mayBeRevoked >= call.span().end()
        && ends(token).mayBeDead >= call.span().end()
        && !(token.isStatic() && call.route() == ClientCall.Route.REFRESH);
  }

  private Ends ends(Token token) {
    return ends.computeIfAbsent(token, this::endsOf);
  }

  /** A revocation or a rotation whose outcome is unknown may have happened at any later time. */
  private Ends endsOf(Token token) {
    List<CallHistory.Revocation> own =
        revocations.stream().filter(it -> it.account().equals(token.account())).toList();
    return new Ends(
        nth(
            1,
            own.stream()
                .filter(it -> !it.isDone() || !it.span().isBefore(token.session()))
                .map(it -> it.span().start())),
        nth(
            1,
            own.stream()
                .filter(it -> it.isDone() && token.session().isBefore(it.span()))
                .filter(it -> !isUnsettled(it.span()))
                .map(it -> it.span().end())),
        nth(
            2,
            rotations.stream()
                .filter(it -> !it.isDone() || !isLongBefore(it.span(), token))
                .map(it -> it.span().start())),
        nth(
            2,
            rotations.stream()
                .filter(it -> it.isDone() && token.received().isBefore(it.span()))
                .map(it -> it.span().end())));
  }

  /** Whether the service had time to forget the older key before it signed the token. */
  private static boolean isLongBefore(Span rotation, Token token) {
    Duration lag = KEY_AGE.plus(CallHistory.CLOCK_SKEW);
    return rotation.end() + lag.toNanos() < token.received().start();
  }

  private static long nth(int n, Stream<Long> times) {
    return times.sorted().skip(n - 1).findFirst().orElse(Long.MAX_VALUE);
  }
}
