/** API Gateway's HTTP API on this machine: its event format, its limits and its answers. */
@NullMarked
package dev.connectorevents.emulator.gateway;

import org.jspecify.annotations.NullMarked;
