/**
 * Feeders: consumers that follow a feed and drop no duplicates. A {@link
 * dev.connectorevents.acceptance.feeders.FeedWalk} makes one step at a time, while other calls wait
 * before they reach AWS.
 */
@NullMarked
package dev.connectorevents.acceptance.feeders;

import org.jspecify.annotations.NullMarked;
