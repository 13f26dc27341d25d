package dev.connectorevents.local.history;

import dev.connectorevents.local.history.CallHistory.Change.Kind;
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
  private final List<CallHistory.Change> changes;
  private final List<CallHistory.Rotation> rotations;
  private final TreeMap<Long, Span> jumps = new TreeMap<>();
  private final Map<Token, Lifetime> lifetimes = new HashMap<>();

  /**
   * When a token ends, in {@link ServiceTime#elapsed}. {@link Long#MAX_VALUE} means never.
   *
   * @param mayBeRevoked when a change began that may end its session
   * @param revoked when a change was done that ends its session
   * @param mayBeDead when the second rotation began that may follow its key's: it ends a key
   * @param dead when the second rotation was done that began after the token was received
   */
  private record Lifetime(long mayBeRevoked, long revoked, long mayBeDead, long dead) {}

  private TokenRules(CallHistory history) {
    calls = history.calls();
    changes = history.changes();
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
      return judgeLogin(call);
    }
    Token token = call.token().get();
    if (call.isAdmitted() && token.isForged()) {
      return Optional.of(Violation.of("a forged token was accepted", call));
    }
    if (call.isOk() && !mayUse(call.route(), call.account())) {
      return Optional.of(Violation.of("a role was not checked", call));
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

  private Optional<Violation> judgeLogin(ClientCall call) {
    if (call.status() == 401 && !mayBeDisabled(call)) {
      return Optional.of(Violation.of("a login was refused", call));
    }
    return call.isOk() && isDisabled(call)
        ? Optional.of(Violation.of("a disabled user logged in", call))
        : Optional.empty();
  }

  /** Whether no enabling has certainly followed each disabling. */
  private boolean mayBeDisabled(ClientCall call) {
    return changes(call.account(), Kind.DISABLING)
        .filter(disabling -> disabling.span().start() < call.span().end())
        .anyMatch(disabling ->
            !disabling.isDone()
                || changes(call.account(), Kind.ENABLING)
                    .noneMatch(enabling ->
                        enabling.isDone()
                            && disabling.span().isBefore(enabling.span())
                            && enabling.span().isBefore(call.span())));
  }

  /** Whether no enabling can have followed a disabling. One without an answer may happen later. */
  private boolean isDisabled(ClientCall call) {
    return changes(call.account(), Kind.DISABLING)
        .filter(disabling -> disabling.isDone() && disabling.span().isBefore(call.span()))
        .anyMatch(disabling ->
            changes(call.account(), Kind.ENABLING)
                .filter(enabling -> enabling.span().start() < call.span().end())
                .allMatch(
                    enabling -> enabling.isDone() && enabling.span().isBefore(disabling.span())));
  }

  private Stream<CallHistory.Change> changes(Account account, Kind kind) {
    return changes.stream().filter(it -> it.account().equals(account) && it.kind() == kind);
  }

  private boolean mayUse(ClientCall.Route route, Account account) {
    return route.role.isEmpty()
        || route.role.get() == account.role()
        || changes.stream().anyMatch(it -> it.account().equals(account) && it.isOfRole());
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
    return lifetime(token).revoked < call.span().start() - lag.toNanos();
  }

  private boolean isOfDeadKey(Token token, ClientCall call) {
    Duration lag = KEY_AGE.plus(CallHistory.CLOCK_SKEW.multipliedBy(2));
    return lifetime(token).dead < call.span().start() - lag.toNanos();
  }

  private boolean isCertainlyLive(Token token, ClientCall call) {
    return !token.isForged()
        && call.span().endedAt().isBefore(token.expiresAt().minus(CallHistory.CLOCK_SKEW))
        && lifetime(token).mayBeRevoked >= call.span().end()
        && lifetime(token).mayBeDead >= call.span().end()
        && !(token.isStatic() && call.route() == ClientCall.Route.REFRESH);
  }

  private Lifetime lifetime(Token token) {
    return lifetimes.computeIfAbsent(token, this::lifetimeOf);
  }

  /** A change or a rotation whose outcome is unknown may have happened at any later time. */
  private Lifetime lifetimeOf(Token token) {
    List<CallHistory.Change> endings =
        changes.stream()
            .filter(it -> it.account().equals(token.account()) && it.endsSessions())
            .toList();
    return new Lifetime(
        nth(
            1,
            endings.stream()
                .filter(it -> !it.isDone() || !it.span().isBefore(token.session()))
                .map(it -> it.span().start())),
        nth(
            1,
            endings.stream()
                .filter(it -> it.isDone() && token.session().isBefore(it.span()))
                .filter(it -> !isUnsettled(it.span()))
                .map(it -> it.span().end())),
        nth(2, rotations.stream().skip(rotationsUpTo(token.kid())).map(it -> it.span().start())),
        nth(
            2,
            rotations.stream()
                .filter(it -> it.isDone() && token.received().isBefore(it.span()))
                .map(it -> it.span().end())));
  }

  /** How many rotations there were until this key signed; 0 if it is the first one. */
  private long rotationsUpTo(String kid) {
    boolean isSeen = rotations.stream().anyMatch(it -> it.kid().equals(kid));
    return isSeen ? rotations.stream().takeWhile(it -> !it.kid().equals(kid)).count() + 1 : 0;
  }

  private static long nth(int n, Stream<Long> times) {
    return times.sorted().skip(n - 1).findFirst().orElse(Long.MAX_VALUE);
  }
}
