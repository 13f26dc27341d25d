/** GET /api/auth/me. */
@NullMarked
package dev.connectorevents.functions.me;

import org.jspecify.annotations.NullMarked;
