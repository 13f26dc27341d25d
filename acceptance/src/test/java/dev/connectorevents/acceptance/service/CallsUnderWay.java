package dev.connectorevents.acceptance.service;

import java.time.Duration;
import java.time.Instant;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The calls of the service that have no answer yet: each was made while the one before it was about
 * to reach AWS. Only the last one goes on. So chance has no part in the order of calls that the
 * service makes one after another. A test gives {@link #meet} to {@link World#fail}.
 */
public final class CallsUnderWay {

  private final WorldClock clock;
  private final Supplier<Duration> skews;
  private final Consumer<String> violations;
  private final Deque<Call> underWay = new ConcurrentLinkedDeque<>();
  private final Deque<Instant> begins = new ConcurrentLinkedDeque<>();
  private Duration skew = Duration.ZERO;

  /**
   * A call of the service.
   *
   * @param at the calls to AWS before one of which something happens, such as {@code PutItem
   *     EventsTable}
   * @param skipped how many of them come before that one
   * @param others go on then
   * @param pause that passes then
   */
  public record Call(
      List<String> at, AtomicInteger skipped, Runnable others, Duration pause, AwsFault fault) {

    /** Nothing happens meanwhile. */
    public static final Call NONE = new Call(List.of(), 0, () -> {}, Duration.ZERO, AwsFault.NONE);

    public Call(List<String> at, int skipped, Runnable others, Duration pause, AwsFault fault) {
      this(at, new AtomicInteger(skipped), others, pause, fault);
    }

    /** Lets the same happen to one more call, before the first of these calls to AWS. */
    public Call again() {
      return new Call(at, 0, others, pause, fault);
    }
  }

  /**
   * @param skews how wrong the clock of the instance is that gets a call
   */
  public CallsUnderWay(WorldClock clock, Supplier<Duration> skews, Consumer<String> violations) {
    this.clock = clock;
    this.skews = skews;
    this.violations = violations;
  }

  public int depth() {
    return underWay.size();
  }

  /** For how long the oldest of them is under way. */
  public Duration longest() {
    Instant first = begins.peekLast();
    return first == null ? Duration.ZERO : Duration.between(first, time());
  }

  /** The time on the clock of an instance that is right. */
  private Instant time() {
    return clock.now().minus(skew);
  }

  public <T> T during(Call call, Supplier<T> made) {
    Duration before = skew;
    skew(skews.get());
    underWay.push(call);
    begins.push(time());
    try {
      return made.get();
    } finally {
      underWay.pop();
      begins.pop();
      skew(before);
    }
  }

  private void skew(Duration other) {
    clock.jump(other.minus(skew));
    skew = other;
  }

  /** Lets others go on before the call under way reaches AWS. */
  public AwsFault meet(Proxy.Call aws) {
    Call call = underWay.peek();
    if (call == null || !call.at().contains(aws.name()) || call.skipped().getAndDecrement() != 0) {
      return AwsFault.NONE;
    }
    try {
      call.others().run();
    } catch (RuntimeException e) {
      violations.accept(e.toString());
    }
    clock.pass(call.pause());
    trace("now goes " + aws.name() + " " + call.fault());
    return call.fault();
  }

  public void trace(String what) {
    if (Boolean.getBoolean("feed.trace")) {
      System.out.printf("%s skew %d deep %d: %s%n", time(), skew.toMillis(), underWay.size(), what);
    }
  }
}
