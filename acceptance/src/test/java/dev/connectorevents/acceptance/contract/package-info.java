/** The service does what {@code docs/openapi.yaml} says. */
@NullMarked
package dev.connectorevents.acceptance.contract;

import org.jspecify.annotations.NullMarked;
