/** Who may use the service: users, their addresses and their password hashes. */
@NullMarked
package dev.connectorevents.user;

import org.jspecify.annotations.NullMarked;
