package dev.connectorevents.event;

import java.util.function.Supplier;

/** The outcome of storing an event. */
public sealed interface StoreOutcome {

  /** The store gave an answer. */
  sealed interface Known extends StoreOutcome {}

  /** This call stored the event durably. */
  record Stored(WebhookEvent event) implements Known {}

  /** An earlier call stored the same event: {@code first}. This call stored nothing. */
  record Replayed(WebhookEvent first) implements Known {}

  /** The event cannot be stored. This call stored nothing. */
  sealed interface Refused extends Known {}

  /** An earlier call stored another event under this id: {@code first}. */
  record KeyReused(WebhookEvent first) implements Refused {}

  /**
   * An operator has erased the event that was stored under this id. No other may take its place.
   */
  record Erased() implements Refused {}

  /**
   * The event is too large for the store.
   *
   * @param bytes the size that it would have in the store
   * @param limit the largest size that the store holds, in bytes
   */
  record TooLarge(long bytes, long limit) implements Refused {}

  /** It is not known whether the event is stored. */
  record Unknown(RuntimeException failure) implements StoreOutcome {}

  /** Catches defects too: they must not hide the outcomes of other events. */
  static StoreOutcome of(Supplier<Known> store) {
    try {
      return store.get();
    } catch (RuntimeException e) {
      return new Unknown(e);
    }
  }
}
