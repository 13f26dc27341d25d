package dev.connectorevents.acceptance.search;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.groupingBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.service.WorldClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The rules for tokens: which tokens the service must accept or refuse on which route. Also the
 * rules for error answers.
 */
final class TokenRules {

  /** How long a function caches the keys that verify tokens, as {@code docs/api.md} says. */
  private static final Duration KEY_AGE = Duration.ofMinutes(5);

  /**
   * How long after its expiry the service may accept a token, because clocks differ (RFC 7519,
   * section 4.1.4).
   */
  private static final Duration LEEWAY = Duration.ofSeconds(30);

  private final List<ClientCall> calls;
  private final Map<Account, List<CallHistory.Change>> changes;
  private final List<CallHistory.Rotation> rotations;
  private final CallHistory history;
  private final Scopes scopes;
  private final Map<Token, Lifetime> lifetimes = new HashMap<>();

  /**
   * When a token becomes invalid, in nanoseconds of {@link WorldClock#elapsed}. {@link
   * Long#MAX_VALUE} means never. A key is dead after the second rotation that follows its own: then
   * it is neither the current nor the previous key.
   *
   * @param mayBeRevoked start of the first change that may end the token's session
   * @param revoked end of the first change that certainly ends the token's session
   * @param mayBeDead start of the second rotation after the rotation that made the token's key
   * @param dead end of the second successful rotation that began after the token was received
   */
  private record Lifetime(long mayBeRevoked, long revoked, long mayBeDead, long dead) {}

  private TokenRules(CallHistory history) {
    calls = history.calls();
    changes = history.changes().stream().collect(groupingBy(CallHistory.Change::account));
    rotations = history.rotations();
    scopes = new Scopes(history);
    this.history = history;
  }

  static List<Violation> violations(CallHistory history) {
    TokenRules rules = new TokenRules(history);
    return rules.calls.stream().flatMap(call -> rules.judge(call).stream()).toList();
  }

  private Optional<Violation> judge(ClientCall call) {
    if (call.status() >= 500 && call.status() != 503) {
      return Optional.of(Violation.of(Rule.AN_INTERNAL_ERROR, call));
    }
    boolean isRefused = call.status() >= 400 && call.status() < 500;
    // API Gateway limits logins itself. Its answers have no code.
    if (isRefused && call.route() != ClientCall.Route.LOGIN && !call.body().contains("\"code\"")) {
      return Optional.of(Violation.of(Rule.A_REFUSAL_WITHOUT_A_CODE, call));
    }
    if (call.status() == 503
        && call.body().contains("\"code\"")
        && !call.headers().containsKey("retry-after")) {
      return Optional.of(Violation.of(Rule.UNAVAILABLE_WITHOUT_RETRY_AFTER, call));
    }
    if (call.token().isEmpty()) {
      return Optional.empty();
    }
    Token token = call.token().get();
    if (call.isAdmitted() && token.isForged()) {
      return Optional.of(Violation.of(Rule.A_FORGED_TOKEN_WAS_ACCEPTED, call));
    }
    return judgeRole(call).or(() -> judgeLife(call, token));
  }

  /**
   * Checks that a route accepts only accounts whose role may use it, and does not refuse these
   * accounts with 403. Skips accounts whose role changes, because they may have either role at any
   * time. {@link ScopeRules} judges the refusals of accounts with a scope.
   */
  private Optional<Violation> judgeRole(ClientCall call) {
    if (changesOf(call.account()).stream().anyMatch(CallHistory.Change::isOfRole)) {
      return Optional.empty();
    }
    boolean mayUse = call.route().role.map(role -> role == call.account().role()).orElse(true);
    if (call.isAdmitted() && call.status() != 403 && !mayUse) {
      return Optional.of(Violation.of(Rule.A_ROLE_WAS_NOT_CHECKED, call));
    }
    return call.status() == 403 && mayUse && !scopes.isGiven(call.account())
        ? Optional.of(Violation.of(Rule.THE_RIGHT_ROLE_WAS_REFUSED, call))
        : Optional.empty();
  }

  private Optional<Violation> judgeLife(ClientCall call, Token token) {
    if (call.isOk() && token.isStatic() && call.route() == ClientCall.Route.REFRESH) {
      return Optional.of(Violation.of(Rule.A_STATIC_TOKEN_WAS_REFRESHED, call));
    }
    if (call.isOk() && call.route() == ClientCall.Route.ME && !isOwn(call)) {
      return Optional.of(Violation.of(Rule.ANOTHER_USER_WAS_SHOWN, call));
    }
    if (history.isUnsettled(call.span()) || history.isUnsettled(token.session())) {
      return Optional.empty();
    }
    Optional<Rule> rule = Optional.empty();
    if (call.isAdmitted() && isExpired(token, call)) {
      rule = Optional.of(Rule.AN_EXPIRED_TOKEN_WAS_ACCEPTED);
    } else if (call.isAdmitted() && isRevoked(token, call)) {
      rule = Optional.of(Rule.A_REVOKED_TOKEN_WAS_ACCEPTED);
    } else if (call.isAdmitted() && isOfDeadKey(token, call)) {
      rule = Optional.of(Rule.A_TOKEN_OF_A_DEAD_KEY_WAS_ACCEPTED);
    } else if (call.status() == 401 && isCertainlyLive(token, call)) {
      rule = Optional.of(Rule.A_LIVE_TOKEN_WAS_REFUSED);
    }
    return rule.map(broken -> Violation.of(broken, call));
  }

  private static boolean isOwn(ClientCall me) {
    JsonNode id = Client.json(me.body().getBytes(UTF_8)).path("id");
    return id.asText().equals(me.account().id().toString());
  }

  private List<CallHistory.Change> changesOf(Account account) {
    return changes.getOrDefault(account, List.of());
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

  /**
   * Finds out when a token becomes invalid. A change or rotation with an unknown outcome may take
   * effect at any later time.
   */
  private Lifetime lifetimeOf(Token token) {
    List<CallHistory.Change> endings =
        changesOf(token.account()).stream().filter(CallHistory.Change::endsSessions).toList();
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
                .filter(it -> !history.isUnsettled(it.span()))
                .map(it -> it.span().end())),
        nth(2, rotations.stream().skip(rotationsUpTo(token.kid())).map(it -> it.span().start())),
        nth(
            2,
            rotations.stream()
                .filter(it -> it.isDone() && token.received().isBefore(it.span()))
                .map(it -> it.span().end())));
  }

  /**
   * The number of rotations up to and including the rotation that made this key the current key; 0
   * for the first key.
   */
  private long rotationsUpTo(String kid) {
    boolean isSeen = rotations.stream().anyMatch(it -> it.kid().equals(kid));
    return isSeen ? rotations.stream().takeWhile(it -> !it.kid().equals(kid)).count() + 1 : 0;
  }

  private static long nth(int n, Stream<Long> times) {
    return times.sorted().skip(n - 1).findFirst().orElse(Long.MAX_VALUE);
  }
}
