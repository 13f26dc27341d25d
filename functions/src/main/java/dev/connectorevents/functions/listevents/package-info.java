/** GET /api/webhook-events. */
@NullMarked
package dev.connectorevents.functions.listevents;

import org.jspecify.annotations.NullMarked;
