/** POST /api/webhook-events/missing: tells a connector which of its keys have no event. */
@NullMarked
package dev.connectorevents.functions.findmissing;

import org.jspecify.annotations.NullMarked;
