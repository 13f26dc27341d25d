package dev.connectorevents.feed;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Tells what is stored under an id from what was stored there before: an id may get a tombstone, or
 * a new event when its key is free again.
 *
 * @param at when the event was created, or when it was erased
 * @param renumberedAt when the item was given a new position; empty if it has its first one
 */
public record ItemVersion(UUID id, Instant at, Optional<Instant> renumberedAt) {}
