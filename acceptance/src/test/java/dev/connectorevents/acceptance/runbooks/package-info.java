/** The commands of docs/operating.md, run as an operator runs them. */
@NullMarked
package dev.connectorevents.acceptance.runbooks;

import org.jspecify.annotations.NullMarked;
