/** Holds every exchange of the tests to docs/openapi.yaml; acceptance does the same. */
@NullMarked
package dev.connectorevents.local.contract;

import org.jspecify.annotations.NullMarked;
