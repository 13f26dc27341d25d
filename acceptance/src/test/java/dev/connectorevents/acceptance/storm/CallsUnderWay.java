package dev.connectorevents.acceptance.storm;

import dev.connectorevents.acceptance.service.AwsFault;
import dev.connectorevents.acceptance.service.Proxy;
import dev.connectorevents.acceptance.service.WorldClock;
import dev.connectorevents.event.Events;
import java.time.Duration;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The calls of the service that have no answer yet: each was made while the one before it was about
 * to reach AWS. Only the last one goes on, so their order follows from the random numbers.
 */
final class CallsUnderWay {

  private final WorldClock clock;
  private final Random random;
  private final Runnable step;
  private final Consumer<String> violations;
  private final Deque<Call> underWay = new ConcurrentLinkedDeque<>();
  private Duration skew = Duration.ZERO;

  /**
   * A call of the service.
   *
   * @param at the call to AWS before which something happens, once, such as {@code PutItem}
   * @param latest when its write has reached the table at the latest; null if it writes nothing
   * @param steps of others, then
   * @param pause that passes then
   */
  record Call(
      List<String> at,
      @Nullable Duration latest,
      int steps,
      Duration pause,
      AwsFault fault,
      AtomicBoolean isMet) {

    Call(List<String> at, @Nullable Duration latest, int steps, Duration pause, AwsFault fault) {
      this(at, latest, steps, pause, fault, new AtomicBoolean());
    }
  }

  /**
   * @param step makes the step of another
   */
  CallsUnderWay(WorldClock clock, Random random, Runnable step, Consumer<String> violations) {
    this.clock = clock;
    this.random = random;
    this.step = step;
    this.violations = violations;
  }

  long writes() {
    return underWay.stream().filter(call -> call.latest() != null).count();
  }

  /** Makes a call of an instance whose clock is as wrong as one may be. */
  <T> T during(Call call, Supplier<T> made) {
    Duration before = skew;
    skew(Duration.ofMillis(random.nextInt((int) Events.CLOCK_SKEW.toMillis() + 1)));
    underWay.push(call);
    try {
      return made.get();
    } finally {
      underWay.pop();
      skew(before);
    }
  }

  private void skew(Duration other) {
    clock.jump(other.minus(skew));
    skew = other;
  }

  /** Lets others go on before the call under way reaches AWS. */
  AwsFault meet(Proxy.Call aws) {
    Call call = underWay.peek();
    if (call == null
        || !aws.name().endsWith(" EventsTable")
        || !call.at().contains(aws.name().split(" ", 2)[0])
        || !call.isMet().compareAndSet(false, true)) {
      return AwsFault.NONE;
    }
    try {
      for (int i = 0; i < call.steps(); i++) {
        step.run();
      }
    } catch (RuntimeException e) {
      violations.accept(e.toString());
    }
    pass(call.pause());
    trace("now goes " + aws.name() + " " + call.fault());
    return call.fault();
  }

  /** Lets time pass, but not more than the writes under way may take. */
  void pass(Duration time) {
    Duration now = Duration.ofNanos(clock.elapsed());
    Duration most =
        underWay.stream()
            .flatMap(call -> Stream.ofNullable(call.latest()))
            .map(latest -> latest.minus(now))
            .min(Comparator.naturalOrder())
            .orElse(time);
    Duration passed = most.compareTo(time) < 0 ? most : time;
    if (passed.isPositive()) {
      clock.pass(passed);
    }
  }

  void trace(String what) {
    if (Boolean.getBoolean("feed.trace")) {
      System.out.printf(
          "%s skew %d deep %d: %s%n",
          clock.now().minus(skew), skew.toMillis(), underWay.size(), what);
    }
  }
}
