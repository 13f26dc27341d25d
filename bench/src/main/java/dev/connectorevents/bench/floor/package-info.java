/** The function to compare ours with. It is deployed alone, without the rest of the bench. */
@NullMarked
package dev.connectorevents.bench.floor;

import org.jspecify.annotations.NullMarked;
