/** Tests of the inspector's page and of the API page in a real browser. */
@NullMarked
package dev.connectorevents.local.inspector.page;

import org.jspecify.annotations.NullMarked;
