/**
 * Feeders: consumers that follow a feed and drop no duplicates. A {@link
 * dev.connectorevents.acceptance.feeders.FeedWalk} makes one step at a time, while other calls wait
 * before they reach AWS.
 *
 * <p>A seed repeats its walk: the same steps, in the same order, with the same answers. Only random
 * ids differ, how long a writer waits after a conflict, and the order of what one call writes side
 * by side, such as the tombstones of a step.
 */
@NullMarked
package dev.connectorevents.acceptance.feeders;

import org.jspecify.annotations.NullMarked;
