/** POST /api/auth/refresh: replaces a live token by one that expires later. */
@NullMarked
package dev.connectorevents.functions.refresh;

import org.jspecify.annotations.NullMarked;
