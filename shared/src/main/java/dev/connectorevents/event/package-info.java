/** Events: their types, the payload kept byte for byte, and the store's promise of exactly once. */
@NullMarked
package dev.connectorevents.event;

import org.jspecify.annotations.NullMarked;
