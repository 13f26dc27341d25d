/** Lambda on this machine: the template's functions, and the Invoke operation. */
@NullMarked
package dev.connectorevents.emulator.function;

import org.jspecify.annotations.NullMarked;
