/** GET /api/auth/me: tells a client whose token it has. */
@NullMarked
package dev.connectorevents.functions.me;

import org.jspecify.annotations.NullMarked;
