/** GET /api/webhook-events/{id} and its payload. */
@NullMarked
package dev.connectorevents.functions.readevent;

import org.jspecify.annotations.NullMarked;
