/**
 * Functions to compare ours with, as somebody else would deploy them, and parts of ours alone. Each
 * has to do with the jars that are laid beside it, and knows nothing of the bench.
 */
@NullMarked
package dev.connectorevents.bench.peers;

import org.jspecify.annotations.NullMarked;
