package dev.connectorevents.acceptance.storm;

import dev.connectorevents.acceptance.service.AwsFault;
import dev.connectorevents.acceptance.service.Proxy;
import dev.connectorevents.acceptance.service.WorldClock;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The calls of the service that have no answer yet: each was made while the one before it was about
 * to reach AWS. Only the last one goes on, so their order follows from the random numbers.
 */
final class CallsUnderWay {

  /** How wrong the clock of an instance may be. The feed rests on no clock. */
  private static final Duration MOST_SKEW = Duration.ofSeconds(20);

  private final WorldClock clock;
  private final Random random;
  private final Runnable step;
  private final Consumer<String> violations;
  private final Deque<Call> underWay = new ConcurrentLinkedDeque<>();
  private Duration skew = Duration.ZERO;

  /**
   * A call of the service.
   *
   * @param at the calls to AWS before one of which something happens, such as {@code PutItem}
   * @param skipped how many of them come before that one
   * @param steps of others, then
   * @param pause that passes then
   */
  record Call(List<String> at, AtomicInteger skipped, int steps, Duration pause, AwsFault fault) {

    Call(List<String> at, int skipped, int steps, Duration pause, AwsFault fault) {
      this(at, new AtomicInteger(skipped), steps, pause, fault);
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

  int depth() {
    return underWay.size();
  }

  /** Makes a call of an instance whose clock is wrong. */
  <T> T during(Call call, Supplier<T> made) {
    Duration before = skew;
    skew(Duration.ofMillis(random.nextInt((int) MOST_SKEW.toMillis() + 1)));
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
    if (call == null || !call.at().contains(aws.name()) || call.skipped().getAndDecrement() != 0) {
      return AwsFault.NONE;
    }
    try {
      for (int i = 0; i < call.steps(); i++) {
        step.run();
      }
    } catch (RuntimeException e) {
      violations.accept(e.toString());
    }
    clock.pass(call.pause());
    trace("now goes " + aws.name() + " " + call.fault());
    return call.fault();
  }

  void trace(String what) {
    if (Boolean.getBoolean("feed.trace")) {
      System.out.printf(
          "%s skew %d deep %d: %s%n",
          clock.now().minus(skew), skew.toMillis(), underWay.size(), what);
    }
  }
}
