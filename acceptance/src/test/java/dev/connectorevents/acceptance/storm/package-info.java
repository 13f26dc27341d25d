/**
 * Storms: many clients at once use the service, while calls to AWS fail. They look for what only
 * many clients show. {@link dev.connectorevents.acceptance.storm.Worker Workers} make calls, a
 * {@link dev.connectorevents.acceptance.storm.CallHistory} keeps them, and rules compare it with
 * the tables. The walks of {@code oracle} look for what one client at a time shows. Between the
 * two: a {@link dev.connectorevents.acceptance.storm.FeedWalk} makes one step at a time, while
 * other calls wait.
 */
@NullMarked
package dev.connectorevents.acceptance.storm;

import org.jspecify.annotations.NullMarked;
