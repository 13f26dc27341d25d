/** Brings events back: from a restored table, and to the feed. */
@NullMarked
package dev.connectorevents.functions.operators.restore;

import org.jspecify.annotations.NullMarked;
