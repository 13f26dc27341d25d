/** POST /api/auth/login. */
@NullMarked
package dev.connectorevents.functions.login;

import org.jspecify.annotations.NullMarked;
