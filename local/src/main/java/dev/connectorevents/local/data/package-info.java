/** What outlives a restart, in one directory of the user's choice. */
@NullMarked
package dev.connectorevents.local.data;

import org.jspecify.annotations.NullMarked;
