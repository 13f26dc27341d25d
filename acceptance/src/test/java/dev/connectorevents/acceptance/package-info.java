/**
 * Tests of the whole product: over HTTP, and in the zip. Each package, or room, is named for what
 * it proves.
 */
@NullMarked
package dev.connectorevents.acceptance;

import org.jspecify.annotations.NullMarked;
