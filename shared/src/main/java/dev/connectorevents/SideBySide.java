package dev.connectorevents;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Runs several tasks of one request at the same time.
 *
 * @param executor runs each task in a thread of its own
 * @param most how many tasks run at the same time; the others wait
 */
public record SideBySide(Executor executor, int most) {

  /**
   * Runs tasks, and waits for all of them.
   *
   * @return their results, in the tasks' order
   * @throws RuntimeException that of a task, if one throws
   */
  public <T> List<T> run(List<? extends Supplier<T>> tasks) {
    Semaphore free = new Semaphore(most);
    List<CompletableFuture<T>> results =
        tasks.stream()
            .map(task -> CompletableFuture.supplyAsync(() -> run(task, free), executor))
            .toList();
    // If one fails, the others go on: they must not outlive the request.
    CompletableFuture.allOf(results.toArray(CompletableFuture[]::new)).handle((v, e) -> 0).join();
    try {
      return results.stream().map(CompletableFuture::join).toList();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  private static <T> T run(Supplier<T> task, Semaphore free) {
    free.acquireUninterruptibly();
    try {
      return task.get();
    } finally {
      free.release();
    }
  }
}
