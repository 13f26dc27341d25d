package dev.connectorevents.bench.coldstart;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What is to be reached.
 *
 * @param what is measured
 * @param most that it may be
 * @param measured in the unit of {@code most}
 */
record Target(String what, double most, double measured) {

  /**
   * A function on Quarkus that does less than ours (it stores the event, and checks no token),
   * against the floor: 1257 ms to 346 ms.
   */
  private static final double QUARKUS = 1257.0 / 346;

  private static final double MEGABYTE = 1e6;

  boolean isReached() {
    return measured <= most;
  }

  /** All of them, as far as what they compare was measured. */
  static List<Target> of(List<Result> results, Optional<LoginTimes> login) {
    Map<String, Result> byName =
        results.stream().collect(Collectors.toMap(Result::name, Function.identity()));
    Optional<Result> ours = find(byName, OurFunctions.CREATE_EVENT);
    Optional<Result> floor = find(byName, Peers.FLOOR);
    List<Target> targets = new ArrayList<>();
    ours.ifPresent(it -> {
      floor.ifPresent(hello -> addCold(targets, it.coldMs() / hello.coldMs()));
      find(byName, OurFunctions.CREATE_EVENT + OurFunctions.RESTORED)
          .ifPresent(restored -> addRestored(targets, it, restored));
      find(byName, Peers.BARE_PUT_ITEM)
          .ifPresent(bare ->
              targets.add(
                  new Target("warm p50 ÷ bare PutItem on the same client", 1.15, warm(it, bare))));
      find(byName, Peers.PLAIN_URL_CONNECTION)
          .ifPresent(plain ->
              targets.add(
                  new Target("warm p50 ÷ plain SDK with url-connection", 0.5, warm(it, plain))));
      targets.add(new Target("zip, MB", 16, it.candidate().codeBytes() / MEGABYTE));
      targets.add(new Target("peak RSS after the first request, MiB", 130, it.peakMib()));
    });
    login.ifPresent(
        it -> targets.add(new Target("login ÷ bare bcrypt of its cost", 1.02, it.ratio())));
    return targets;
  }

  private static Optional<Result> find(Map<String, Result> results, String name) {
    return Optional.ofNullable(results.get(name));
  }

  private static void addCold(List<Target> targets, double toFloor) {
    targets.add(new Target("cold ÷ floor", 2.4, toFloor));
    targets.add(new Target("cold ÷ Quarkus doing less", 0.7, toFloor / QUARKUS));
  }

  private static void addRestored(List<Target> targets, Result ours, Result restored) {
    targets.add(
        new Target(
            "first request after a snapshot ÷ first request without",
            0.1,
            restored.firstMs() / ours.firstMs()));
    targets.add(new Target("classes that it loads", 20, restored.classes().size()));
  }

  private static double warm(Result ours, Result peer) {
    return ours.warmMs(0.5).orElseThrow() / peer.warmMs(0.5).orElseThrow();
  }
}
