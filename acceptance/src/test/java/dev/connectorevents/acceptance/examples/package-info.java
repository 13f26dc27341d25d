/** The files that others copy: examples/ and events/. */
@NullMarked
package dev.connectorevents.acceptance.examples;

import org.jspecify.annotations.NullMarked;
