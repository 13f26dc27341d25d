/** What the service needs of AWS at a given rate of events, and which limit it meets first. */
@NullMarked
package dev.connectorevents.bench.scale;

import org.jspecify.annotations.NullMarked;
