/**
 * Runs procedures of docs/operating.md and docs/privacy.md on a service of the tests: a check,
 * ending an attack, restores, exports, erasures.
 */
@NullMarked
package dev.connectorevents.acceptance.runbooks;

import org.jspecify.annotations.NullMarked;
