/** Mistakes in requests. Each gets the answer with which its author can mend it. */
@NullMarked
package dev.connectorevents.acceptance.wrongrequests;

import org.jspecify.annotations.NullMarked;
