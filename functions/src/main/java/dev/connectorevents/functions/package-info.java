/** The Lambda functions, a package for each, and what they share. */
@NullMarked
package dev.connectorevents.functions;

import org.jspecify.annotations.NullMarked;
