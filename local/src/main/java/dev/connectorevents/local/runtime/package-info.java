/** The zip as Lambda runs it: its own Java runtime, a process each, and its Runtime API. */
@NullMarked
package dev.connectorevents.local.runtime;

import org.jspecify.annotations.NullMarked;
