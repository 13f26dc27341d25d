package dev.connectorevents.event;

/** The outcome of storing an event. */
public sealed interface StoreOutcome {

  /** This call stored the event durably. */
  record Stored(WebhookEvent event) implements StoreOutcome {}

  /** An earlier call stored the same event: {@code first}. This call stored nothing. */
  record Replayed(WebhookEvent first) implements StoreOutcome {}

  /** An earlier call stored another event under this id. This call stored nothing. */
  record KeyReused() implements StoreOutcome {}

  /**
   * The event is too large for the store. This call stored nothing.
   *
   * @param bytes the size that it would have in the store
   * @param limit the largest size that the store holds, in bytes
   */
  record TooLarge(long bytes, long limit) implements StoreOutcome {}
}
