/** No input makes a parser fail, take long or need much memory. */
@NullMarked
package dev.connectorevents.acceptance.fuzz;

import org.jspecify.annotations.NullMarked;
