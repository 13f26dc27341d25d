/** Files that survive a restart, in a directory of the user's choice. */
@NullMarked
package dev.connectorevents.emulator.data;

import org.jspecify.annotations.NullMarked;
