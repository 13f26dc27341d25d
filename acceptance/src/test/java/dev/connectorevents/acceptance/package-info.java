/**
 * Tests of the whole product: over HTTP, and in the zip. The packages {@code awscalls} and {@code
 * service} are support folders. All others are rooms, named for what they prove.
 */
@NullMarked
package dev.connectorevents.acceptance;

import org.jspecify.annotations.NullMarked;
