/**
 * The wing: finding, erasing and restoring stored events. What stores and reads them never knows
 * it.
 */
@NullMarked
package dev.connectorevents.erasure;

import org.jspecify.annotations.NullMarked;
