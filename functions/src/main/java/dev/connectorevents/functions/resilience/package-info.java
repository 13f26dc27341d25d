/** Retries failed calls to AWS, and bounds them all by the request's deadline. */
@NullMarked
package dev.connectorevents.functions.resilience;

import org.jspecify.annotations.NullMarked;
