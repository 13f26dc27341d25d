package dev.connectorevents.acceptance.storm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The history of one storm: the clients' calls, what operators did, and the jumps of the clocks.
 * The calls are in the order of their answers.
 */
final class CallHistory {

  /** The clocks of any two instances of functions differ by less than this. */
  static final Duration CLOCK_SKEW = Duration.ofSeconds(2);

  private final List<ClientCall> calls = new ArrayList<>();
  private final List<Erasure> erasures = new ArrayList<>();
  private final List<Span> jumps = new ArrayList<>();

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

  synchronized void add(Erasure erasure) {
    erasures.add(erasure);
  }

  synchronized void addJump(Span jump) {
    jumps.add(jump);
  }

  synchronized List<ClientCall> calls() {
    return List.copyOf(calls);
  }

  synchronized List<Erasure> erasures() {
    return List.copyOf(erasures);
  }

  synchronized List<Span> jumps() {
    return List.copyOf(jumps);
  }

  /**
   * The latest calls that are related to the violation's call, up to and including this call. If
   * the violation has no call: the latest calls of the storm.
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

  /** One line for each erasure, and for each jump of the clocks. */
  synchronized List<String> operations() {
    return Stream.concat(
            erasures.stream().map(Erasure::toString), jumps.stream().map(jump -> "jump " + jump))
        .toList();
  }

  /**
   * Counts the calls by route and status, the events of batches as if they were alone, and the
   * erasures by outcome. A key of the map is, for example, {@code EVENT 201} or {@code ERASURE
   * complete}.
   */
  Map<String, Long> counts() {
    return Stream.of(
            calls().stream().map(call -> call.route() + " " + call.status()),
            calls().stream()
                .filter(call -> call.route() == ClientCall.Route.BATCH && call.isOk())
                .flatMap(call -> Attempt.in(call).stream())
                .map(attempt -> ClientCall.Route.EVENT + " " + attempt.status()),
            erasures().stream()
                .map(erasure -> "ERASURE " + (erasure.isComplete() ? "complete" : "incomplete")))
        .flatMap(counted -> counted)
        .collect(Collectors.groupingBy(it -> it, TreeMap::new, Collectors.counting()));
  }
}
