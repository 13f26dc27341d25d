package dev.connectorevents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SideBySideTest {

  private final SideBySide three = new SideBySide(Thread::startVirtualThread, 3);

  @Test
  void results_are_in_the_order_of_the_tasks() {
    List<Integer> fifty = IntStream.range(0, 50).boxed().toList();

    assertThat(three.run(fifty, i -> i)).isEqualTo(fifty);
  }

  @Test
  @Timeout(10)
  void as_many_tasks_as_allowed_run_at_the_same_time_and_no_more() {
    CountDownLatch together = new CountDownLatch(3);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Function<Integer, Boolean> task =
        _ -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          together.countDown();
          awaitUnchecked(together);
          LockSupport.parkNanos(Duration.ofMillis(5).toNanos()); // a fourth would begin meanwhile
          return running.decrementAndGet() >= 0;
        };

    three.run(Collections.nCopies(30, 0), task);

    assertThat(most).hasValue(3);
  }

  @Test
  void a_failed_task_fails_the_run_with_its_own_exception() {
    IllegalStateException failure = new IllegalStateException("one of three");
    List<Supplier<Integer>> tasks =
        List.of(
            () -> 1,
            () -> {
              throw failure;
            },
            () -> 3);

    assertThatThrownBy(() -> three.run(tasks, Supplier::get)).isSameAs(failure);
  }

  private static void awaitUnchecked(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
