/** Mistakes in requests, and what the answers say. */
@NullMarked
package dev.connectorevents.acceptance.wrongrequests;

import org.jspecify.annotations.NullMarked;
