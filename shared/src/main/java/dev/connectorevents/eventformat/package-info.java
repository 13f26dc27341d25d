/** How clients write events and query lists of them, and how an answer shows an event. */
@NullMarked
package dev.connectorevents.eventformat;

import org.jspecify.annotations.NullMarked;
