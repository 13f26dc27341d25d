/** What functions without a route have in common. */
@NullMarked
package dev.connectorevents.functions.operators;

import org.jspecify.annotations.NullMarked;
