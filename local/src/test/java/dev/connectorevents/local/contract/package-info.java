/** Compares every exchange of the tests with docs/openapi.yaml, also in the acceptance tests. */
@NullMarked
package dev.connectorevents.local.contract;

import org.jspecify.annotations.NullMarked;
