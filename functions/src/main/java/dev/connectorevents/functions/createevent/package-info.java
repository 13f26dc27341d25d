/** POST /api/webhook-events, for one event, and POST /api/webhook-events/batch. */
@NullMarked
package dev.connectorevents.functions.createevent;

import org.jspecify.annotations.NullMarked;
