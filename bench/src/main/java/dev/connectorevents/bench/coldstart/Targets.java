package dev.connectorevents.bench.coldstart;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** All that is to be reached, as far as what it compares was measured. */
final class Targets {

  private static final String OURS = OurFunctions.CREATE_EVENT;

  /**
   * A function on Quarkus that does less than ours (it stores the event, and checks no token),
   * against the floor: 1257 ms to 346 ms.
   */
  private static final double QUARKUS = 1257.0 / 346;

  private static final double MEGABYTE = 1e6;

  private final Map<String, Result> results;
  private final List<Target> targets = new ArrayList<>();

  private Targets(List<Result> results) {
    this.results = results.stream().collect(Collectors.toMap(Result::name, Function.identity()));
  }

  static List<Target> of(List<Result> results, Optional<LoginTimes> login) {
    Targets all = new Targets(results);
    all.addStarts();
    all.addWarm();
    all.addSizes();
    login.ifPresent(times -> all.add("login ÷ bare bcrypt of its cost", 1.02, times.ratio()));
    return List.copyOf(all.targets);
  }

  private void addStarts() {
    ratio(OURS, Peers.FLOOR, Result::coldMs)
        .ifPresent(cold -> {
          add("cold ÷ floor", 2.4, cold);
          add("cold ÷ Quarkus doing less", 0.7, cold / QUARKUS);
        });
    String restored = OURS + OurFunctions.RESTORED;
    ratio(restored, OURS + OurFunctions.PROVISIONED, Result::firstMs)
        .ifPresent(first -> add("first request, from a snapshot ÷ provisioned", 0.1, first));
    find(restored)
        .ifPresent(it -> add("classes loaded by it, from a snapshot", 20, it.classes().size()));
  }

  private void addWarm() {
    ToDoubleFunction<Result> median = result -> result.warmMs(0.5).orElseThrow();
    ratio(OURS + OurFunctions.RESTORED, Peers.BARE_PUT_ITEM + OurFunctions.PROVISIONED, median)
        .ifPresent(
            warm -> add("warm p50, from a snapshot ÷ bare PutItem, provisioned", 1.15, warm));
    ratio(OURS, Peers.BARE_PUT_ITEM, median)
        .ifPresent(warm -> add("warm p50 ÷ bare PutItem, both on demand", 1.15, warm));
    ratio(OURS, Peers.PLAIN_URL_CONNECTION, median)
        .ifPresent(warm -> add("warm p50 ÷ plain SDK with url-connection", 0.5, warm));
  }

  private void addSizes() {
    find(OURS)
        .ifPresent(it -> {
          add("zip, MB", 16, it.candidate().codeBytes() / MEGABYTE);
          add("peak RSS after the first request, MiB", 130, it.peakMib());
        });
  }

  private void add(String what, double most, double measured) {
    targets.add(new Target(what, most, measured));
  }

  private Optional<Double> ratio(String one, String other, ToDoubleFunction<Result> value) {
    return find(one)
        .flatMap(above ->
            find(other).map(below -> value.applyAsDouble(above) / value.applyAsDouble(below)));
  }

  private Optional<Result> find(String name) {
    return Optional.ofNullable(results.get(name));
  }
}
