/** SnapStart: what a function does before Lambda takes its snapshot. */
@NullMarked
package dev.connectorevents.functions.snapshot;

import org.jspecify.annotations.NullMarked;
