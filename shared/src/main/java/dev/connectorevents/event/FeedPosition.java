package dev.connectorevents.event;

import java.time.Instant;

/**
 * A position of the feed.
 *
 * @param number from 1
 * @param numberedAt when it was given
 */
public record FeedPosition(long number, Instant numberedAt) {}
