/**
 * Runs procedures of the operators' pages in docs/ on a service of the tests: ending an attack,
 * restores, exports, erasures. Also tests {@code operate/check}.
 */
@NullMarked
package dev.connectorevents.acceptance.runbooks;

import org.jspecify.annotations.NullMarked;
