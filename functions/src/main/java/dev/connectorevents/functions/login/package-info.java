/** POST /api/auth/login: gives a token for a password, and slows down guessing. */
@NullMarked
package dev.connectorevents.functions.login;

import org.jspecify.annotations.NullMarked;
