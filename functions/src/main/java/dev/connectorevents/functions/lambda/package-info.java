/** Between Lambda and a handler: the event, the answer and the log. */
@NullMarked
package dev.connectorevents.functions.lambda;

import org.jspecify.annotations.NullMarked;
