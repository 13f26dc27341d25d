package dev.connectorevents.local.inspector;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The last requests, bounded in number and in bytes. */
final class History {

  static final int MAX_REQUESTS = 500;
  static final long MAX_BYTES = 64L * 1024 * 1024;

  private final Deque<RecordedExchange> requests = new ArrayDeque<>();
  private long bytes;
  private long added;

  /**
   * Requests, oldest first.
   *
   * @param position to continue from
   */
  record Batch(List<RecordedExchange> requests, long position) {}

  synchronized void add(RecordedExchange request) {
    requests.addLast(request);
    bytes += request.size();
    added++;
    while (requests.size() > MAX_REQUESTS || (bytes > MAX_BYTES && requests.size() > 1)) {
      bytes -= requests.removeFirst().size();
    }
    notifyAll();
  }

  /** Waits until there is a request after that position, or the time is over. */
  synchronized Batch after(long position, Duration atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (added <= position) {
      long left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
      if (left <= 0) {
        return new Batch(List.of(), position);
      }
      wait(left);
    }
    long seen = Math.max(0, requests.size() - (added - position));
    return new Batch(requests.stream().skip(seen).toList(), added);
  }

  synchronized Optional<RecordedExchange> find(String id) {
    return requests.stream().filter(request -> request.id().equals(id)).findFirst();
  }
}
