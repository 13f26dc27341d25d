package dev.connectorevents.event;

/** The outcome of storing an event. */
public sealed interface StoreOutcome {

  /** This call stored the event durably. */
  record Stored(WebhookEvent event) implements StoreOutcome {}

  /** An earlier call stored the same event: {@code first}. This call stored nothing. */
  record Replayed(WebhookEvent first) implements StoreOutcome {}

  /** The event cannot be stored. This call stored nothing. */
  sealed interface Refused extends StoreOutcome {}

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
}
