/** Makes each call to AWS of each function fail in each way. */
@NullMarked
package dev.connectorevents.acceptance.matrix;

import org.jspecify.annotations.NullMarked;
