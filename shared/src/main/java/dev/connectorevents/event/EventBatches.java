package dev.connectorevents.event;

import java.util.List;

/** The store of events, for many at once. */
public interface EventBatches {

  /**
   * Stores each event as {@link Events#store} does, independently of the others.
   *
   * @param submissions of events with different ids
   * @return what became of them, in their order
   */
  List<StoreAttempt> store(List<Submission> submissions);
}
