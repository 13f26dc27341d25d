/** The zip under Lambda's own runtime, on demand and from a snapshot. */
@NullMarked
package dev.connectorevents.acceptance.lambda;

import org.jspecify.annotations.NullMarked;
