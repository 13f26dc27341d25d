/** Finds out, again and again, what the feed holds. */
@NullMarked
package dev.connectorevents.functions.beatfeed;

import org.jspecify.annotations.NullMarked;
