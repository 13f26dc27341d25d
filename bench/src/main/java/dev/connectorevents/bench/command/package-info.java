/** The way in, for `bench/run`. */
@NullMarked
package dev.connectorevents.bench.command;

import org.jspecify.annotations.NullMarked;
