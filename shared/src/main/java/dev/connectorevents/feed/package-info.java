/**
 * The feed: a log that gives each stored event, and each erasure, a position.
 *
 * <p>{@code docs/reading-events.md} says what consumers may rely on.
 */
@NullMarked
package dev.connectorevents.feed;

import org.jspecify.annotations.NullMarked;
