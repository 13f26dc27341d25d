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

  /** Whether an operator has ever given the account a scope. */
  boolean isGiven(Account account) {
    return changes.containsKey(account);
  }

  /**
   * Whether the service may have refused this type. Before a refusal it reads the scope again, so
   * only a scope that was in force during the call counts.
   */
  boolean mayRefuse(ClientCall call, String type) {
    return inForce(call, Duration.ZERO).anyMatch(scope -> !scope.contains(type));
  }

  /** Whether the service may have hidden an erased event: only a scope of all events shows it. */
  boolean mayHideErased(ClientCall call) {
    return inForce(call, Duration.ZERO).anyMatch(scope -> !scope.isWhole());
  }

  /** Whether the service may have allowed this type. It may have cached a scope before the call. */
  boolean mayAllow(ClientCall call, String type) {
    return mayHaveCached(call, scope -> scope.contains(type));
  }

  /** Whether the service may have shown that an event is erased. */
  boolean mayShowErased(ClientCall call) {
    return mayHaveCached(call, GivenScope::isWhole);
  }

  /**
   * Whether the service may have used such a scope from its cache. After a jump of the clocks this
   * is always possible, because the jump changes the age of cache entries.
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
   * Whether the later change has certainly replaced this one. A change whose outcome is unknown may
   * still happen at any later time.
   */
  private static boolean isReplaced(ScopeChange change, ScopeChange later) {
    return change.isDone() && change.span().isBefore(later.span());
  }
}
