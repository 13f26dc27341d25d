/** Reads JSON by rules: a reader names all faults at once. */
@NullMarked
package dev.connectorevents.json;

import org.jspecify.annotations.NullMarked;
