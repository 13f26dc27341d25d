/** What the domain and its stores share. */
@NullMarked
package dev.connectorevents;

import org.jspecify.annotations.NullMarked;
