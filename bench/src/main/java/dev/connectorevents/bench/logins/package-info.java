/** What a login takes that fails, whether or not the address is a user's. */
@NullMarked
package dev.connectorevents.bench.logins;

import org.jspecify.annotations.NullMarked;
