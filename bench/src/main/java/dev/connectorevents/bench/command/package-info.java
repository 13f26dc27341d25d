/** The command line of {@code bench/run}. */
@NullMarked
package dev.connectorevents.bench.command;

import org.jspecify.annotations.NullMarked;
