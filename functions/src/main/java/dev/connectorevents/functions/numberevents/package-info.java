/** Gives stored events, and erasures, their positions in the feed. */
@NullMarked
package dev.connectorevents.functions.numberevents;

import org.jspecify.annotations.NullMarked;
