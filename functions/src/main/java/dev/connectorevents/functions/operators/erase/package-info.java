/** Erases events for operators, and keeps a proof of it. */
@NullMarked
package dev.connectorevents.functions.operators.erase;

import org.jspecify.annotations.NullMarked;
