/** AWS on one machine: starts and stops everything that a template describes. */
@NullMarked
package dev.connectorevents.emulator;

import org.jspecify.annotations.NullMarked;
