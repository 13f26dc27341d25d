/**
 * The files that others copy: {@code examples/} and {@code events/}. The tests {@code Example…}
 * hold each connector to what {@code docs/connectors.md} promises; one more test has what only the
 * connector with an outbox does.
 */
@NullMarked
package dev.connectorevents.acceptance.examples;

import org.jspecify.annotations.NullMarked;
