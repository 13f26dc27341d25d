/**
 * Walks through the service: a seed draws steps one after another, and an {@link
 * dev.connectorevents.acceptance.oracle.Oracle} says after each which answers the contract allows.
 */
@NullMarked
package dev.connectorevents.acceptance.oracle;

import org.jspecify.annotations.NullMarked;
