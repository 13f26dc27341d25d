package dev.connectorevents.acceptance.storm;

import dev.connectorevents.acceptance.service.Product;
import dev.connectorevents.functions.wiring.Sleep;
import dev.connectorevents.user.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many clients at once use one service. Meanwhile, a {@link Nemesis} makes calls to AWS fail. At
 * the end, an {@link Audit} looks for violations.
 *
 * <p>The seed decides what each worker tries. The outcome also depends on the order in which the
 * threads run.
 */
final class Storm implements AutoCloseable {

  static final int FIRST_NUMBERS = 1_000_000;

  /** How many steps an {@link Eraser} makes after the last fault of AWS. */
  private static final int LAST_ERASURES = 3;

  /** How often the stream is numbered, in real time. */
  private static final Duration NUMBERING_PAUSE = Duration.ofMillis(50);

  private final long seed;
  private final CallHistory history = new CallHistory();
  private final Deployment deployment;
  private final List<Outbox> outboxes = new ArrayList<>();
  private final AtomicInteger longest = new AtomicInteger();

  Storm(long seed, Product product) throws IOException {
    this.seed = seed;
    deployment = new Deployment(seed, product, history);
  }

  /**
   * Runs the workers, and then looks for violations.
   *
   * @param length how long the workers run, in real time
   * @param steps the largest number of steps for each worker
   */
  List<Violation> violations(Duration length, int steps) throws InterruptedException {
    work(workers(), length, steps);
    deployment.killAndRestart(); // from now on, no earlier call can reach the tables
    Worker eraser = new Eraser(deployment, history, outboxes, new Random(seed));
    for (int i = 0; i < LAST_ERASURES; i++) {
      eraser.step();
    }
    return new Audit(deployment, history, seed).violations();
  }

  private List<Worker> workers() {
    Client client = deployment.client();
    List<Worker> workers = new ArrayList<>();
    for (Account each :
        List.of(
            deployment.create("a", Role.CONNECTOR),
            deployment.create("b", Role.CONNECTOR),
            deployment.create("c", Role.CONNECTOR))) {
      Outbox outbox = new Outbox();
      outboxes.add(outbox);
      for (int i = 0; i < 2; i++) {
        workers.add(new Sender(client, each, outbox, random(workers), firstNumber(workers)));
      }
    }
    for (Account each :
        List.of(
            deployment.create("reader", Role.CONSUMER),
            deployment.create("other", Role.CONSUMER))) {
      workers.add(new ReadBackWorker(client, each, outboxes, random(workers)));
    }
    workers.add(new Eraser(deployment, history, outboxes, random(workers)));
    workers.add(() -> {
      Sleep.of(NUMBERING_PAUSE);
      deployment.number();
    });
    workers.add(new Nemesis(deployment, seed % 4 == 3, random(workers)));
    return workers;
  }

  private Random random(List<Worker> workers) {
    return new Random(seed * 31 + workers.size());
  }

  private static int firstNumber(List<Worker> workers) {
    return FIRST_NUMBERS * (workers.size() + 1);
  }

  private void work(List<Worker> workers, Duration length, int steps) throws InterruptedException {
    long end = System.nanoTime() + length.toNanos();
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads =
        workers.stream()
            .map(worker ->
                Thread.ofVirtual()
                    .uncaughtExceptionHandler((thread, failure) -> failures.add(failure))
                    .start(() -> work(worker, end, steps)))
            .toList();
    while (System.nanoTime() < end && threads.stream().anyMatch(Thread::isAlive)) {
      Sleep.of(Duration.ofMillis(20));
    }
    deployment.weather().end();
    for (Thread each : threads) {
      each.join();
    }
    for (Throwable failure : failures) {
      throw new IllegalStateException("a worker of seed " + seed + " failed", failure);
    }
  }

  private void work(Worker worker, long end, int steps) {
    for (int i = 0; i < steps && System.nanoTime() < end; i++) {
      worker.step();
      longest.accumulateAndGet(i + 1, Math::max);
    }
  }

  /** The number of steps of the worker that made the most steps. */
  int steps() {
    return longest.get();
  }

  CallHistory history() {
    return history;
  }

  @Override
  public void close() {
    deployment.close();
  }
}
