/**
 * Tests of the whole product: over HTTP, and in the zip. The package {@code service} contains
 * support code. Every other package is a room: a folder of tests, named for what they prove.
 */
@NullMarked
package dev.connectorevents.acceptance;

import org.jspecify.annotations.NullMarked;
