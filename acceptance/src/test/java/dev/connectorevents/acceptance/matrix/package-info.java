/**
 * Tests what each function does if one of its calls to AWS fails. Each call fails in every way that
 * {@code AwsFault} lists.
 */
@NullMarked
package dev.connectorevents.acceptance.matrix;

import org.jspecify.annotations.NullMarked;
