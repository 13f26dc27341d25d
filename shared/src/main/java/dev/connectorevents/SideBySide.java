package dev.connectorevents;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/** Runs several tasks of one request at the same time. */
public final class SideBySide {

  private final Executor executor;
  private final int most;

  /**
   * @param executor runs each task in a thread of its own
   * @param most how many tasks run at the same time; the others wait
   */
  public SideBySide(Executor executor, int most) {
    this.executor = executor;
    this.most = most;
  }

  /**
   * Runs a task for each of these, and waits for all of them.
   *
   * @return the results, in the same order
   * @throws RuntimeException that of a task, if one throws
   */
  public <A, T> List<T> run(List<A> each, Function<A, T> task) {
    Semaphore free = new Semaphore(most);
    List<CompletableFuture<T>> results =
        each.stream()
            .map(one -> CompletableFuture.supplyAsync(() -> run(one, task, free), executor))
            .toList();
    // If one fails, the others go on: they must not outlive the request.
    CompletableFuture.allOf(results.toArray(CompletableFuture[]::new)).handle((v, e) -> 0).join();
    try {
      return results.stream().map(CompletableFuture::join).toList();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  private static <A, T> T run(A one, Function<A, T> task, Semaphore free) {
    free.acquireUninterruptibly();
    try {
      return task.apply(one);
    } finally {
      free.release();
    }
  }
}
