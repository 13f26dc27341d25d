/** Makes a function's parts from its environment. */
@NullMarked
package dev.connectorevents.functions.wiring;

import org.jspecify.annotations.NullMarked;
