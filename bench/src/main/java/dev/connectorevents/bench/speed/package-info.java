/** Benchmarks (JMH) of the work of a request, and of how fast the service refuses a login. */
@NullMarked
package dev.connectorevents.bench.speed;

import org.jspecify.annotations.NullMarked;
