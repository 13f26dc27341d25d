/**
 * Storms: many clients at once use the service, while calls to AWS fail. What only many clients
 * show is looked for here: {@link dev.connectorevents.acceptance.storm.Worker workers} make calls,
 * a {@link dev.connectorevents.acceptance.storm.CallHistory} keeps them, and rules compare it with
 * the tables. What one client at a time shows belongs to the walks of {@code oracle}.
 */
@NullMarked
package dev.connectorevents.acceptance.storm;

import org.jspecify.annotations.NullMarked;
