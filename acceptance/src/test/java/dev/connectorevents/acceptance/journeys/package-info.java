/** What connectors, consumers and operators do, from their first request to their last. */
@NullMarked
package dev.connectorevents.acceptance.journeys;

import org.jspecify.annotations.NullMarked;
