/** GET /api/webhook-events/{id} and its payload: reads one event, for consumers. */
@NullMarked
package dev.connectorevents.functions.readevent;

import org.jspecify.annotations.NullMarked;
