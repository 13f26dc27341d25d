/** What {@code local/serve} shows of the requests to the API, in the terminal and on a page. */
@NullMarked
package dev.connectorevents.local.inspector;

import org.jspecify.annotations.NullMarked;
