/** HTTP on loopback, for the stand-ins. */
@NullMarked
package dev.connectorevents.emulator.http;

import org.jspecify.annotations.NullMarked;
