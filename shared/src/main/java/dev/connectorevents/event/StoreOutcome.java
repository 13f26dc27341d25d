package dev.connectorevents.event;

/** The outcome of storing an event. */
public sealed interface StoreOutcome {

  /** It is stored, durably, by this call. */
  record Stored(WebhookEvent event) implements StoreOutcome {}

  /** The same request came before, and this is what it stored. */
  record Replayed(WebhookEvent first) implements StoreOutcome {}

  /** Another request has taken this id; nothing is stored. */
  record KeyReused() implements StoreOutcome {}

  /**
   * The store cannot hold it; nothing is stored.
   *
   * @param bytes its size in the store
   * @param limit the largest size that the store holds, in bytes
   */
  record TooLarge(long bytes, long limit) implements StoreOutcome {}
}
