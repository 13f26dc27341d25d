/** Runs the commands of docs/operating.md and docs/privacy.md as an operator runs them. */
@NullMarked
package dev.connectorevents.acceptance.runbooks;

import org.jspecify.annotations.NullMarked;
