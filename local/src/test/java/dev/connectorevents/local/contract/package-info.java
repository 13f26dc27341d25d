/**
 * Compares the tests' HTTP exchanges with docs/openapi.yaml. Writes down the functions' calls to
 * AWS, which ContractCoverageTest compares with the scenarios of failing calls. The acceptance
 * tests use this package too.
 */
@NullMarked
package dev.connectorevents.local.contract;

import org.jspecify.annotations.NullMarked;
