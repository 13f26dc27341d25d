package dev.connectorevents.event;

import java.util.List;

/** The store of events, for many at once. */
public interface EventBatches {

  /**
   * Stores each event as {@link Events#store} does, independently of the others. An exception is
   * the outcome of its event alone: {@link StoreOutcome.Unknown}.
   *
   * @param toStore with different ids
   * @return their outcomes, in their order
   */
  List<StoreOutcome> store(List<EventToStore> toStore);
}
