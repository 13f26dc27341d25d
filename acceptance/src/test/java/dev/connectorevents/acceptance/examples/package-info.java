/** The files that others copy: {@code examples/} and {@code events/}. */
@NullMarked
package dev.connectorevents.acceptance.examples;

import org.jspecify.annotations.NullMarked;
