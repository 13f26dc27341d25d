/**
 * How long a function's process takes to start and to answer, under Lambda's own Java runtime, with
 * AWS answered at once from this machine.
 */
@NullMarked
package dev.connectorevents.bench.coldstart;

import org.jspecify.annotations.NullMarked;
