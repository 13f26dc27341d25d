/** The little that the stand-ins for AWS share of HTTP, all of it bound to loopback. */
@NullMarked
package dev.connectorevents.emulator.http;

import org.jspecify.annotations.NullMarked;
