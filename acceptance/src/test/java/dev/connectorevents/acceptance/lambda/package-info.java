/** Tests of the built zip under Lambda's own Java runtime, with SnapStart and without it. */
@NullMarked
package dev.connectorevents.acceptance.lambda;

import org.jspecify.annotations.NullMarked;
