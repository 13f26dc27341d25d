/** What the service needs from AWS at a given rate of events, and which limit it reaches first. */
@NullMarked
package dev.connectorevents.bench.scale;

import org.jspecify.annotations.NullMarked;
