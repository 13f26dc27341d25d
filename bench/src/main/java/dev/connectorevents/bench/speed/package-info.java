/** Benchmarks (JMH) of the work that a request makes, and the table of their results. */
@NullMarked
package dev.connectorevents.bench.speed;

import org.jspecify.annotations.NullMarked;
