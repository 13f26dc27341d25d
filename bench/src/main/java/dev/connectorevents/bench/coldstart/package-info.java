/** How long a function's process takes to start and to answer, under Lambda's own Java runtime. */
@NullMarked
package dev.connectorevents.bench.coldstart;

import org.jspecify.annotations.NullMarked;
