/** Each call to AWS fails in each way, in each function. */
@NullMarked
package dev.connectorevents.acceptance.matrix;

import org.jspecify.annotations.NullMarked;
