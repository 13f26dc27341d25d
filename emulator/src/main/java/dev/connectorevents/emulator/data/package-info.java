/** What outlives a restart, in one directory of the user's choice. */
@NullMarked
package dev.connectorevents.emulator.data;

import org.jspecify.annotations.NullMarked;
