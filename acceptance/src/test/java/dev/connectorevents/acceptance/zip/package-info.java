/** Tests of the built zip under Lambda's own Java runtime, with SnapStart and without it. */
@NullMarked
package dev.connectorevents.acceptance.zip;

import org.jspecify.annotations.NullMarked;
