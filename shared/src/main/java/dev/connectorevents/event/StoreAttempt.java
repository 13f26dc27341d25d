package dev.connectorevents.event;

import java.util.function.Supplier;

/** How an attempt to store one of several events ended. */
public sealed interface StoreAttempt {

  /** The store gave an answer. */
  record Done(StoreOutcome outcome) implements StoreAttempt {}

  /** It is not known whether the event is stored. */
  record Failed(RuntimeException failure) implements StoreAttempt {}

  /** Catches defects too: they must not hide what became of the other events. */
  static StoreAttempt of(Supplier<StoreOutcome> store) {
    try {
      return new Done(store.get());
    } catch (RuntimeException e) {
      return new Failed(e);
    }
  }
}
