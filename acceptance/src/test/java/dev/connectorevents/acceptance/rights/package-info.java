/** What the role of each function may do, and that it may do nothing else. */
@NullMarked
package dev.connectorevents.acceptance.rights;

import org.jspecify.annotations.NullMarked;
