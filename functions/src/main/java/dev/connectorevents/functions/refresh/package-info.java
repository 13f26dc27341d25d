/** POST /api/auth/refresh. */
@NullMarked
package dev.connectorevents.functions.refresh;

import org.jspecify.annotations.NullMarked;
