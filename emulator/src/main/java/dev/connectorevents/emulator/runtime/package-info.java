/** The zip as Lambda runs it: its own Java runtime, a process each, and its Runtime API. */
@NullMarked
package dev.connectorevents.emulator.runtime;

import org.jspecify.annotations.NullMarked;
