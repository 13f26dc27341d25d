/** POST /api/webhook-events, and its batch: stores events, each exactly once. */
@NullMarked
package dev.connectorevents.functions.createevent;

import org.jspecify.annotations.NullMarked;
