/** Mistakes in requests. Nearly every answer tells the sender how to fix the request. */
@NullMarked
package dev.connectorevents.acceptance.wrongrequests;

import org.jspecify.annotations.NullMarked;
