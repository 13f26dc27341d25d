/** Measures how long functions take to start and to answer, under Lambda's own Java runtime. */
@NullMarked
package dev.connectorevents.bench.coldstart;

import org.jspecify.annotations.NullMarked;
