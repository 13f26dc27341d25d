package dev.connectorevents.acceptance.search;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The history of one run: the clients' calls, the changes by operators, and the jumps of the
 * clocks. The calls are in the order of their answers.
 */
final class CallHistory {

  /**
   * How long a revocation may lag on routes that cache users. This is the documented figure, not
   * the product's constant.
   */
  static final Duration USER_AGE = Duration.ofSeconds(5);

  /** The clocks of any two instances of functions differ by less than this. */
  static final Duration CLOCK_SKEW = Duration.ofSeconds(2);

  /**
   * For this long before and after a jump of the clocks, no rule judges the lifetime of a token or
   * the age of a cached scope.
   */
  static final Duration UNSETTLED = Duration.ofSeconds(70);

  private final List<ClientCall> calls = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();
  private final List<ScopeChange> scopeChanges = new ArrayList<>();
  private final List<Rotation> rotations = new ArrayList<>();
  private final List<Erasure> erasures = new ArrayList<>();
  private final List<Span> jumps = new ArrayList<>();

  /**
   * An operator's attempt to change an account.
   *
   * @param isDone whether the operator's call succeeded; if not, the change may have happened, or
   *     may still happen
   */
  record Change(Account account, Kind kind, Span span, boolean isDone) {

    /**
     * A kind of change. In the operator's request, {@code rest} is the JSON text after the members
     * {@code action} and {@code email}.
     */
    enum Kind {
      REVOCATION("revoke-tokens", ""),
      DISABLING("disable", ""),
      ENABLING("enable", ""),
      TO_CONNECTOR("set-role", ",\"role\":\"connector\""),
      TO_CONSUMER("set-role", ",\"role\":\"consumer\"");

      final String action;
      final String rest;

      Kind(String action, String rest) {
        this.action = action;
        this.rest = rest;
      }
    }

    boolean endsSessions() {
      return kind != Kind.ENABLING;
    }

    boolean isOfRole() {
      return kind == Kind.TO_CONNECTOR || kind == Kind.TO_CONSUMER;
    }
  }

  /**
   * An operator's attempt to give an account a scope, or to lift its scope.
   *
   * @param isDone whether the operator's call succeeded; if not, the change may have happened, or
   *     may still happen
   */
  record ScopeChange(Account account, GivenScope scope, Span span, boolean isDone) {}

  /**
   * An attempt to rotate the signing key.
   *
   * @param isDone whether the attempt succeeded; if not, a new key may nevertheless have become the
   *     current key
   * @param kid the id of the current key after the attempt
   */
  record Rotation(Span span, boolean isDone, String kid) {}

  /**
   * An attempt to erase events.
   *
   * @param id the id of the erasure; empty if no answer had one
   * @param events the ids of the events
   * @param span from the start of the first call to the end of the last call
   * @param isComplete whether the last answer said that the erasure is complete; if not, the
   *     service may or may not have erased the events
   * @param written how many tombstones the erasure wrote, according to the answers that arrived
   */
  record Erasure(
      Optional<String> id, List<String> events, Span span, boolean isComplete, int written) {}

  synchronized ClientCall add(ClientCall call) {
    calls.add(call);
    return call;
  }

  synchronized void add(Change change) {
    changes.add(change);
  }

  synchronized void add(ScopeChange change) {
    scopeChanges.add(change);
  }

  synchronized void add(Rotation rotation) {
    rotations.add(rotation);
  }

  synchronized void add(Erasure erasure) {
    erasures.add(erasure);
  }

  synchronized void addJump(Span jump) {
    jumps.add(jump);
  }

  synchronized List<ClientCall> calls() {
    return List.copyOf(calls);
  }

  synchronized List<Change> changes() {
    return List.copyOf(changes);
  }

  synchronized List<ScopeChange> scopeChanges() {
    return List.copyOf(scopeChanges);
  }

  synchronized List<Rotation> rotations() {
    return List.copyOf(rotations);
  }

  synchronized List<Erasure> erasures() {
    return List.copyOf(erasures);
  }

  synchronized List<Span> jumps() {
    return List.copyOf(jumps);
  }

  /** Whether the clocks jumped during the span, or less than {@link #UNSETTLED} before or after. */
  synchronized boolean isUnsettled(Span span) {
    long settling = UNSETTLED.toNanos();
    return jumps.stream()
        .anyMatch(
            jump -> jump.start() < span.end() + settling && span.start() < jump.end() + settling);
  }

  /**
   * The latest calls that are related to the violation's call, up to and including this call. If
   * the violation has no call: the latest calls of the run.
   *
   * @param most the largest number of calls to return
   */
  synchronized List<ClientCall> upTo(Violation violation, int most) {
    List<ClientCall> related =
        violation
            .call()
            .map(last ->
                calls.subList(0, calls.indexOf(last) + 1).stream()
                    .filter(call -> call.isRelatedTo(last))
                    .toList())
            .orElse(calls);
    return related.subList(Math.max(0, related.size() - most), related.size());
  }

  /**
   * One line for each change of the account or of its scope. Then one line for each rotation, each
   * erasure and each jump of the clocks in the whole run.
   */
  synchronized List<String> operations(Account account) {
    return Stream.of(
            changes.stream()
                .filter(change -> change.account().equals(account))
                .map(Change::toString),
            scopeChanges.stream()
                .filter(change -> change.account().equals(account))
                .map(ScopeChange::toString),
            rotations.stream().map(Rotation::toString),
            erasures.stream().map(Erasure::toString),
            jumps.stream().map(jump -> "jump " + jump))
        .flatMap(lines -> lines)
        .toList();
  }

  /**
   * Counts the calls by route and status, and the scope changes and erasures by outcome. A key of
   * the map is, for example, {@code EVENT 201} or {@code ERASURE complete}.
   */
  Map<String, Long> counts() {
    return Stream.concat(
            calls().stream().map(call -> call.route() + " " + call.status()),
            Stream.concat(
                scopeChanges().stream()
                    .map(change -> "SCOPE " + (change.isDone() ? "changed" : "unknown")),
                erasures().stream()
                    .map(erasure ->
                        "ERASURE " + (erasure.isComplete() ? "complete" : "incomplete"))))
        .collect(Collectors.groupingBy(it -> it, TreeMap::new, Collectors.counting()));
  }
}
