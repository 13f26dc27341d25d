/** Finds events for operators, and shows proofs of erasures. It only reads. */
@NullMarked
package dev.connectorevents.functions.operators.find;

import org.jspecify.annotations.NullMarked;
