/**
 * Runs procedures of the operators' pages in docs/ on a service of the tests: a check, ending an
 * attack, restores, exports, erasures.
 */
@NullMarked
package dev.connectorevents.acceptance.runbooks;

import org.jspecify.annotations.NullMarked;
