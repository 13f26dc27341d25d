/** GET /api/webhook-events: lists events in order, for consumers. */
@NullMarked
package dev.connectorevents.functions.listevents;

import org.jspecify.annotations.NullMarked;
