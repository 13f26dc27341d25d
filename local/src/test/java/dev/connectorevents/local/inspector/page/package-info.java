/** The inspector's page, in a real browser. */
@NullMarked
package dev.connectorevents.local.inspector.page;

import org.jspecify.annotations.NullMarked;
