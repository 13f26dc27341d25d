/** Functions to compare ours with; each knows only the jars that are laid beside it. */
@NullMarked
package dev.connectorevents.bench.peers;

import org.jspecify.annotations.NullMarked;
