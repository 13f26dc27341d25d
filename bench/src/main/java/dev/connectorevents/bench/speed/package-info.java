/** JMH benchmarks of the work for a request, and a measurement of how long failed logins take. */
@NullMarked
package dev.connectorevents.bench.speed;

import org.jspecify.annotations.NullMarked;
