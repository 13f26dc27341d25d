package dev.connectorevents.acceptance.search;

import static java.util.stream.Collectors.groupingBy;

import dev.connectorevents.acceptance.search.CallHistory.ScopeChange;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The scopes by which the service may have judged a call. */
final class Scopes {

  private final CallHistory history;
  private final Map<Account, List<ScopeChange>> changes;

  Scopes(CallHistory history) {
    this.history = history;
    changes = history.scopeChanges().stream().collect(groupingBy(ScopeChange::account));
  }

  /** Whether an operator has ever changed the account's scope, or tried to. */
  boolean isGiven(Account account) {
    return changes.containsKey(account);
  }

  /**
   * Whether the service was allowed to refuse this event type. Before a refusal, the service reads
   * the scope again. So only a scope that was in force during the call can be the reason.
   */
  boolean mayRefuse(ClientCall call, String type) {
    return inForce(call, Duration.ZERO).anyMatch(scope -> !scope.contains(type));
  }

  /**
   * Whether the service was allowed to answer 404 for an erased event. An account sees that an
   * event was erased only if it has no scope, or a scope of all types.
   */
  boolean mayHideErased(ClientCall call) {
    return inForce(call, Duration.ZERO).anyMatch(scope -> !scope.isWhole());
  }

  /**
   * Whether the service was allowed to accept or show this event type. It may use a scope that it
   * cached before the call.
   */
  boolean mayAllow(ClientCall call, String type) {
    return mayHaveCached(call, scope -> scope.contains(type));
  }

  /** Whether the service was allowed to show that an event was erased. */
  boolean mayShowErased(ClientCall call) {
    return mayHaveCached(call, GivenScope::isWhole);
  }

  /**
   * Whether the service may have used a scope that matches the predicate, from its cache or not.
   * Near a jump of the clocks the answer is always yes, because a jump changes the age of cache
   * entries.
   */
  private boolean mayHaveCached(ClientCall call, Predicate<GivenScope> scope) {
    return history.isUnsettled(call.span())
        || inForce(call, call.route().lag.plus(CallHistory.CLOCK_SKEW)).anyMatch(scope);
  }

  private Stream<GivenScope> inForce(ClientCall call, Duration lag) {
    long start = call.span().start() - lag.toNanos();
    List<ScopeChange> all = changes.getOrDefault(call.account(), List.of());
    List<ScopeChange> certain =
        all.stream().filter(it -> it.isDone() && it.span().end() < start).toList();
    return Stream.concat(
        Stream.of(GivenScope.NONE).filter(unchanged -> certain.isEmpty()),
        all.stream()
            .filter(it -> it.span().start() < call.span().end())
            .filter(it -> certain.stream().noneMatch(later -> isReplaced(it, later)))
            .map(ScopeChange::scope));
  }

  /**
   * Whether the change {@code later} has certainly replaced this change. A change whose outcome is
   * unknown may still happen at any later time.
   */
  private static boolean isReplaced(ScopeChange change, ScopeChange later) {
    return change.isDone() && change.span().isBefore(later.span());
  }
}
