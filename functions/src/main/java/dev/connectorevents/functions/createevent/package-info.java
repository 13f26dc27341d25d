/** POST /api/webhook-events. */
@NullMarked
package dev.connectorevents.functions.createevent;

import org.jspecify.annotations.NullMarked;
