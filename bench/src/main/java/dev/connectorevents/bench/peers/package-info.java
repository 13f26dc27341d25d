/** Functions to compare ours with. The bench selects the jars that each function runs with. */
@NullMarked
package dev.connectorevents.bench.peers;

import org.jspecify.annotations.NullMarked;
