/** The zip as Lambda runs it: in Lambda's own Java runtime, one process per instance. */
@NullMarked
package dev.connectorevents.emulator.runtime;

import org.jspecify.annotations.NullMarked;
