/** The command line of `bench/run`. */
@NullMarked
package dev.connectorevents.bench.command;

import org.jspecify.annotations.NullMarked;
