/** POST /api/webhook-events/missing. */
@NullMarked
package dev.connectorevents.functions.findmissing;

import org.jspecify.annotations.NullMarked;
