/** A search for lost, doubled and leaked events, in histories of many clients. */
@NullMarked
package dev.connectorevents.acceptance.search;

import org.jspecify.annotations.NullMarked;
