package dev.connectorevents.local.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The calls of one run and their outcomes, in the order of the answers. */
final class CallHistory {

  /**
   * How long a revocation may lag where users are cached. The contract's figure, not the code's.
   */
  static final Duration USER_AGE = Duration.ofSeconds(5);

  /** The most by which the clocks of two functions differ. */
  static final Duration CLOCK_SKEW = Duration.ofSeconds(2);

  /** After a jump of the clock, no token is judged for this long. */
  static final Duration UNSETTLED = Duration.ofSeconds(70);

  private final List<ClientCall> calls = new ArrayList<>();
  private final List<Revocation> revocations = new ArrayList<>();
  private final List<Rotation> rotations = new ArrayList<>();
  private final List<Span> jumps = new ArrayList<>();

  /**
   * An end of all sessions of an account.
   *
   * @param isDone whether the operator got a success; otherwise it may have happened or not
   */
  record Revocation(Account account, Client.Ending ending, Span span, boolean isDone) {}

  /**
   * A new signing key.
   *
   * @param isDone whether it signs; otherwise it may or may not
   */
  record Rotation(Span span, boolean isDone) {}

  synchronized ClientCall add(ClientCall call) {
    calls.add(call);
    return call;
  }

  synchronized void add(Revocation revocation) {
    revocations.add(revocation);
  }

  synchronized void add(Rotation rotation) {
    rotations.add(rotation);
  }

  synchronized void addJump(Span jump) {
    jumps.add(jump);
  }

  synchronized List<ClientCall> calls() {
    return List.copyOf(calls);
  }

  synchronized List<Revocation> revocations() {
    return List.copyOf(revocations);
  }

  synchronized List<Rotation> rotations() {
    return List.copyOf(rotations);
  }

  synchronized List<Span> jumps() {
    return List.copyOf(jumps);
  }

  /** The last calls before a violation was certain that have to do with it. */
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

  /** How many calls of each kind ended how. */
  Map<String, Long> counts() {
    return calls().stream()
        .collect(
            Collectors.groupingBy(
                call -> call.route() + " " + call.status(), TreeMap::new, Collectors.counting()));
  }
}
