/**
 * Compares what the tests see with the pages, also in the acceptance tests: every exchange with
 * docs/openapi.yaml, and every call to AWS with docs/failing-calls.md.
 */
@NullMarked
package dev.connectorevents.local.contract;

import org.jspecify.annotations.NullMarked;
