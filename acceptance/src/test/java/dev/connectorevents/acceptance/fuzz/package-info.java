/** No input makes a reader fail, take long or need much memory. */
@NullMarked
package dev.connectorevents.acceptance.fuzz;

import org.jspecify.annotations.NullMarked;
