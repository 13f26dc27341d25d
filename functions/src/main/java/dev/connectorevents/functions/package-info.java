/** The Lambda functions: what they share, and a package for each. */
@NullMarked
package dev.connectorevents.functions;

import org.jspecify.annotations.NullMarked;
