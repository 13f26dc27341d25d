/** Streams of tables, and the functions that Lambda calls with them. */
@NullMarked
package dev.connectorevents.emulator.stream;

import org.jspecify.annotations.NullMarked;
