package dev.connectorevents.local.history;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
  private final List<Span> jumps;

  private TokenRules(CallHistory history) {
    calls = history.calls();
    revocations = history.revocations();
    rotations = history.rotations();
    jumps = history.jumps();
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
      return call.status() == 401
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

  /** Whether the clocks jumped during it, or shortly before or after. */
  private boolean isUnsettled(Span span) {
    return jumps.stream()
        .anyMatch(jump ->
            jump.start() < span.end() + settling() && span.start() < jump.end() + settling());
  }

  private static long settling() {
    return CallHistory.UNSETTLED.dividedBy(ServiceTime.SPEED).toNanos();
  }

  private static boolean isExpired(Token token, ClientCall call) {
    Instant latest = token.expiresAt().plus(LEEWAY).plus(CallHistory.CLOCK_SKEW);
    return call.span().startedAt().isAfter(latest);
  }

  private boolean isRevoked(Token token, ClientCall call) {
    Duration lag =
        call.route().lag.isZero() ? Duration.ZERO : call.route().lag.plus(CallHistory.CLOCK_SKEW);
    return revocations.stream()
        .filter(CallHistory.Revocation::isDone)
        .filter(revocation -> revocation.account().equals(token.account()))
        .filter(revocation -> !isUnsettled(revocation.span()))
        .anyMatch(revocation ->
            token.session().isBefore(revocation.span())
                && revocation.span().isBefore(call.span())
                && !call.span().startedAt().isBefore(revocation.span().endedAt().plus(lag)));
  }

  /** The second rotation after its signature ends a key. */
  private boolean isOfDeadKey(Token token, ClientCall call) {
    Instant died =
        call.span().startedAt().minus(KEY_AGE).minus(CallHistory.CLOCK_SKEW.multipliedBy(2));
    return rotations.stream()
            .filter(CallHistory.Rotation::isDone)
            .filter(rotation -> token.received().isBefore(rotation.span()))
            .filter(rotation -> rotation.span().endedAt().isBefore(died))
            .count()
        >= 2;
  }

  /** Whether the service had time to forget the older key before it signed the token. */
  private static boolean isLongBefore(Span rotation, Token token) {
    return rotation
        .endedAt()
        .plus(KEY_AGE)
        .plus(CallHistory.CLOCK_SKEW)
        .isBefore(token.received().startedAt());
  }

  /** A revocation or a rotation whose outcome is unknown may have happened at any later time. */
  private boolean isCertainlyLive(Token token, ClientCall call) {
    boolean mayBeRevoked =
        revocations.stream()
            .filter(revocation -> revocation.account().equals(token.account()))
            .filter(revocation -> revocation.span().start() < call.span().end())
            .anyMatch(
                revocation -> !revocation.isDone() || !revocation.span().isBefore(token.session()));
    long later =
        rotations.stream()
            .filter(rotation -> rotation.span().start() < call.span().end())
            .filter(rotation -> !rotation.isDone() || !isLongBefore(rotation.span(), token))
            .count();
    return !token.isForged()
        && call.span().endedAt().isBefore(token.expiresAt().minus(CallHistory.CLOCK_SKEW))
        && !mayBeRevoked
        && later < 2
        && !(token.isStatic() && call.route() == ClientCall.Route.REFRESH);
  }
}
