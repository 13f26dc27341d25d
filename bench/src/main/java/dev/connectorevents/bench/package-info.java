/** How long the deployed functions take to start and to answer. */
@NullMarked
package dev.connectorevents.bench;

import org.jspecify.annotations.NullMarked;
