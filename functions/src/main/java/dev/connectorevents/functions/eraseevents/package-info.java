/** Erases events for operators, and keeps a proof of it. */
@NullMarked
package dev.connectorevents.functions.eraseevents;

import org.jspecify.annotations.NullMarked;
