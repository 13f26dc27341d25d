/** Between Lambda and a handler: API Gateway's event, and the log. */
@NullMarked
package dev.connectorevents.functions.lambda;

import org.jspecify.annotations.NullMarked;
