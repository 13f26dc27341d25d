/** Functions to compare ours with. Each runs with its own selection of jars. */
@NullMarked
package dev.connectorevents.bench.peers;

import org.jspecify.annotations.NullMarked;
