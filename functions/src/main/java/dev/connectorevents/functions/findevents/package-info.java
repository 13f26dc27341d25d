/** Finds events for operators, and shows proofs of erasures and the feed's head. It only reads. */
@NullMarked
package dev.connectorevents.functions.findevents;

import org.jspecify.annotations.NullMarked;
