package dev.connectorevents.acceptance.oracle;

import dev.connectorevents.acceptance.service.AwsFault;
import dev.connectorevents.acceptance.service.CallsUnderWay;
import dev.connectorevents.acceptance.service.Proxy;
import dev.connectorevents.acceptance.service.World;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Makes the steps of a walk in their order. While a call of one waits, it makes the next ones. */
final class Course {

  private final List<Step> steps;
  private final World world;
  private final Oracle oracle;
  private final Walker walker;
  private final CallsUnderWay underWay;
  private final List<Set<String>> replies = new ArrayList<>();
  private final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();
  private final Map<String, Deque<AwsFault>> faults = new HashMap<>();
  private volatile Trouble trouble = Trouble.NONE;

  Course(List<Step> steps, World world) {
    this.steps = steps;
    this.world = world;
    oracle = new Oracle(world.clock()::now);
    walker = new Walker(world, oracle);
    underWay = new CallsUnderWay(world.clock(), () -> Duration.ZERO, violations::add);
    world.fail(this::fault);
  }

  Walk walk() {
    make(Trouble.NONE, Hold.NONE, walker::begin);
    while (replies.size() < steps.size() && violations.isEmpty()) {
      make(Trouble.NONE, Hold.NONE, walker::beat);
      makeNext();
    }
    world.clock().pass(Walk.PAUSE); // so that what it numbers is all that was stored before
    make(Trouble.NONE, Hold.NONE, walker::end);
    make(Trouble.OF_A_LANE, Hold.NONE, walker::listBrands);
    return new Walk(
        steps.subList(0, replies.size()), replies, Optional.ofNullable(violations.peek()));
  }

  private void makeNext(int steps) {
    for (int i = 0; i < steps; i++) {
      makeNext();
    }
  }

  private void makeNext() {
    int number = replies.size();
    if (number < steps.size() && violations.isEmpty()) {
      Step step = steps.get(number);
      replies.add(Set.of()); // until it ends
      world.clock().pass(Walk.PAUSE);
      replies.set(number, make(step.trouble(), step.hold(), () -> walker.make(step)));
    }
  }

  /** Returns the replies. Makes nothing after a violation. */
  private Set<String> make(Trouble itsTrouble, Hold hold, Runnable step) {
    if (!violations.isEmpty()) {
      return Set.of();
    }
    plant(itsTrouble);
    oracle.begin(itsTrouble, hold);
    try {
      CallsUnderWay.Call call =
          new CallsUnderWay.Call(
              hold.calls(), 0, () -> makeNext(hold.steps()), Duration.ZERO, AwsFault.NONE);
      underWay.during(
          call,
          () -> {
            step.run();
            return call;
          });
    } catch (AssertionError violation) {
      violations.add("" + violation.getMessage());
    }
    plant(Trouble.NONE); // a step whose call has waited has none
    return oracle.end();
  }

  private synchronized void plant(Trouble next) {
    trouble = next;
    faults.clear();
  }

  private AwsFault fault(Proxy.Call call) {
    underWay.meet(call);
    return call.name().contains(trouble.place()) ? next(call) : AwsFault.NONE;
  }

  private synchronized AwsFault next(Proxy.Call call) {
    Deque<AwsFault> left =
        faults.computeIfAbsent(
            trouble.isOfEach() ? call.body() : "", _ -> new ArrayDeque<>(trouble.faults()));
    return left.isEmpty() ? AwsFault.NONE : left.removeFirst();
  }
}
