/** How fast the work of a request is done, as benchmarks (JMH), and how fast a login is refused. */
@NullMarked
package dev.connectorevents.bench.speed;

import org.jspecify.annotations.NullMarked;
