/** Who may pass: the guard before a handler, and what it tells those whom it refuses. */
@NullMarked
package dev.connectorevents.access;

import org.jspecify.annotations.NullMarked;
